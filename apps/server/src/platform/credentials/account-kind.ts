/** The kind of account. Clients and staff sign in separately, with their own tables, cookies and keys. */
export type AccountKind = 'client' | 'staff';
