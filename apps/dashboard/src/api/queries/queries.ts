import type {
  CaseDocument,
  CaseSearch,
  Client,
  HistoryCategory,
  HistoryEntry,
  PaymentStatus,
  SignatureBody,
} from '@keyturn/contract';
import {
  keepPreviousData,
  type QueryFunctionContext,
  queryOptions,
  useInfiniteQuery,
  useIsMutating,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { caseStoreOf, useCaseState, useCaseStore } from '../case/use-case-state.ts';
import { retryTransientErrors } from '../client/api-error.ts';
import { type Services, useServices } from '../services/services.ts';
import { useHistoryMaintenance } from './use-history-maintenance.ts';
import { useIsLive } from './use-live.ts';

/*
 * What the screens read, each once and shared. `client` names the client with the active case; all that stands below
 * `activeCase` belongs to that case: its key counts the cases looked at, so that nothing read about one case is ever
 * found under another.
 */
export const queryKeys = {
  client: ['client'],
  activeCase: ['case'],
  caseSearches: (generation: number) => ['case', generation, 'case-searches'],
  milestones: (generation: number) => ['case', generation, 'milestones'],
  payments: (generation: number) => ['case', generation, 'payments'],
  newestHistory: (generation: number) => ['case', generation, 'case-history', 'newest'],
  caseHistory: (generation: number) => ['case', generation, 'case-history', 'all'],
  caseHistoryPages: (generation: number, category: HistoryCategory | undefined) =>
    ['case', generation, 'case-history', 'all', 'pages', category ?? null] as const,
  wholeCaseHistory: (generation: number) => ['case', generation, 'case-history', 'all', 'whole'],
  documents: (generation: number) => ['case', generation, 'documents'],
  // Of any case of the client: a link may lead to a document of another than the active one.
  document: (id: string) => ['documents', id],
  documentContent: (id: string, sha256: string, signedAt: string | null) => [
    'document-contents',
    id,
    sha256,
    signedAt,
  ],
} as const;

/** The client with the active case; at once from the last visit, and fresh behind it. */
export function useClient() {
  return useQuery({ ...clientQuery(useServices()), ...useFreshness() });
}

/** The searches of the active case; at once from the last visit, and fresh behind it. What the bank is confirming is asked for more often. */
export function useCaseSearches() {
  const { call } = useServices();
  const caseState = useCaseStore();
  const { generation } = useCaseState();
  const isLive = useIsLive();
  return useQuery({
    ...useFreshness(),
    queryKey: queryKeys.caseSearches(generation),
    queryFn: async (context) => {
      const caseSearches = await call('GET /case-searches', background(context));
      if (caseState.get().generation === generation) caseState.setCaseSearches(caseSearches);
      // What follows from a payment, the due money and the tasks, is told with the client.
      const before = context.client.getQueryData<CaseSearch[]>(context.queryKey);
      if (before && paymentMarks(before) !== paymentMarks(caseSearches)) {
        void context.client.invalidateQueries({ queryKey: queryKeys.client });
        void context.client.invalidateQueries({ queryKey: queryKeys.newestHistory(generation) });
      }
      return caseSearches;
    },
    refetchInterval: ({ state }) =>
      intervalFor(
        isLive,
        state.data?.map(({ payment }) => payment?.status),
      ),
    initialData: () => {
      const kept = caseState.get();
      return kept.conveyancingCase && kept.caseSearches.length > 0 ? kept.caseSearches : undefined;
    },
    initialDataUpdatedAt: 0,
  });
}

/** The milestones of every matter of the active case, in order. */
export function useMilestones() {
  const { call } = useServices();
  const { generation } = useCaseState();
  return useQuery({
    ...useFreshness(),
    queryKey: queryKeys.milestones(generation),
    queryFn: (context) => call('GET /milestones', background(context)),
  });
}

/** Every payment of the active case, newest first. What the bank is confirming is asked for more often. */
export function usePayments() {
  const { call } = useServices();
  const { generation } = useCaseState();
  const isLive = useIsLive();
  return useQuery({
    ...useFreshness(),
    queryKey: queryKeys.payments(generation),
    queryFn: (context) => call('GET /payments', background(context)),
    refetchInterval: ({ state }) =>
      intervalFor(
        isLive,
        state.data?.map(({ status }) => status),
      ),
  });
}

/**
 * The five newest entries, and how many there are. Not asked for while the history is in maintenance. Not wanted: what is
 * known of them is only looked at.
 */
export function useNewestHistory(isWanted = true) {
  const { call } = useServices();
  const { generation } = useCaseState();
  const isClosed = useHistoryMaintenance() !== null;
  const { enabled, ...freshness } = useFreshness();
  return useQuery({
    ...freshness,
    enabled: enabled && isWanted && !isClosed,
    queryKey: queryKeys.newestHistory(generation),
    queryFn: (context) => call('GET /case-history', { query: { limit: 5 }, ...background(context) }),
  });
}

/** The history a page of fifty at a time, newest first; of one category, or of all. */
export function useCaseHistoryPages(category: HistoryCategory | undefined, enabled: boolean) {
  const { call } = useServices();
  const { generation } = useCaseState();
  const isSwitching = useIsSwitchingCase();
  return useInfiniteQuery({
    enabled: enabled && !isSwitching,
    queryKey: queryKeys.caseHistoryPages(generation, category),
    queryFn: (context) =>
      call('GET /case-history', {
        query: {
          limit: 50,
          ...(context.pageParam === null ? {} : { cursor: context.pageParam }),
          ...(category ? { category } : {}),
        },
        ...background(context),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
  });
}

/** Every entry of the history, newest first, in as few calls as may be. */
export function useWholeCaseHistory(enabled: boolean) {
  const { call } = useServices();
  const { generation } = useCaseState();
  const isSwitching = useIsSwitchingCase();
  return useQuery({
    enabled: enabled && !isSwitching,
    queryKey: queryKeys.wholeCaseHistory(generation),
    queryFn: async (context) => {
      const entries: HistoryEntry[] = [];
      let cursor: string | null = null;
      do {
        const query: { limit: number; cursor?: string } = { limit: 1000, ...(cursor ? { cursor } : {}) };
        const { data, meta } = await call('GET /case-history', { query, ...background(context) });
        entries.push(...data);
        cursor = meta.next_cursor;
      } while (cursor);
      return entries;
    },
  });
}

/** Reads the history anew whenever its newest entries show that something changed. */
export function useFollowedHistory() {
  const queries = useQueryClient();
  const { generation } = useCaseState();
  const newest = useNewestHistory();
  const mark =
    newest.data &&
    [
      generation,
      newest.data.meta.total,
      ...newest.data.data.map(({ id, updated_at }) => id + updated_at),
    ].join();
  const seen = useRef(mark);
  useEffect(() => {
    if (mark === undefined || mark === seen.current) return;
    // The first reading tells nothing: what it is compared with was read at the same time.
    const isChange = seen.current?.startsWith(`${generation},`);
    seen.current = mark;
    if (isChange) void queries.invalidateQueries({ queryKey: queryKeys.caseHistory(generation) });
  }, [mark, generation, queries]);
  return newest;
}

/** Every document of the active case, newest first. */
export function useDocuments() {
  const { call } = useServices();
  const { generation } = useCaseState();
  return useQuery({
    ...useFreshness(),
    queryKey: queryKeys.documents(generation),
    queryFn: (context) => call('GET /documents', background(context)),
  });
}

/** One document of any of the client's cases; at once where a list has it. */
export function useDocument(id: string) {
  const { call } = useServices();
  const { generation } = useCaseState();
  const queries = useQueryClient();
  return useQuery({
    ...useFreshness(),
    queryKey: queryKeys.document(id),
    queryFn: (context) => call('GET /documents/{id}', { params: { id }, ...background(context) }),
    initialData: () =>
      queries
        .getQueryData<CaseDocument[]>(queryKeys.documents(generation))
        ?.find((document) => document.id === id),
    initialDataUpdatedAt: 0,
  });
}

/** A document's file in memory, and which file that is. */
export interface DocumentContent {
  file: Blob;
  /** Of the document as it stood when the file was asked for: what a signature is given for. */
  sha256: string;
}

/**
 * The file of a document, with the client's signature once they signed. It is forgotten when the screen is left; while
 * a changed file is on its way, the one before stays.
 */
export function useDocumentContent(document: CaseDocument | undefined) {
  const { call } = useServices();
  const { id = '', sha256 = '', signature = null } = document ?? {};
  return useQuery({
    queryKey: queryKeys.documentContent(id, sha256, signature?.signed_at ?? null),
    queryFn: async ({ signal }): Promise<DocumentContent> => ({
      file: await call('GET /documents/{id}/content', { params: { id }, signal, timeout: contentTimeout }),
      sha256,
    }),
    enabled: document !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Asks for the file as it is now: with the signatures of all who have signed. */
export function useFetchDocumentContent(): (id: string) => Promise<Blob> {
  const { call } = useServices();
  return (id) => call('GET /documents/{id}/content', { params: { id }, timeout: contentTimeout });
}

/** Milliseconds: 25 MB over a slow line. */
const contentTimeout = 300_000;

/** Tells that a document has been seen. A failure is not worth a word: the next opening tells it again. */
export function useMarkDocumentRead() {
  const { call } = useServices();
  const take = useTakeDocument();
  return useMutation({
    mutationFn: (id: string) => call('POST /documents/{id}/read', { params: { id } }),
    retry: retryTransientErrors,
    onSuccess: take,
  });
}

/** Signs a document. @throws ApiError what the call refuses, or that it did not get through */
export function useSignDocument(id: string) {
  const { call } = useServices();
  const take = useTakeDocument();
  return useMutation({
    mutationFn: (body: SignatureBody) => call('POST /documents/{id}/signature', { params: { id }, body }),
    onSuccess: take,
  });
}

/** Shows a document as an answer has it, and asks again for what counts documents and tasks. */
function useTakeDocument() {
  const queries = useQueryClient();
  const { generation } = useCaseState();
  return (document: CaseDocument) => {
    queries.setQueryData(queryKeys.document(document.id), document);
    void queries.invalidateQueries({ queryKey: queryKeys.documents(generation) });
    void queries.invalidateQueries({ queryKey: queryKeys.newestHistory(generation) });
    void queries.invalidateQueries({ queryKey: queryKeys.client });
  };
}

/** Asks again for everything about the active case: after a payment, say. Resolves when all has arrived. */
export function useRefreshCase(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: queryKeys.client }),
      queries.invalidateQueries({ queryKey: queryKeys.activeCase }),
    ]);
  };
}

/** Looks at another of the client's cases. Nothing of the old case is there any more once it is done. */
export function useSwitchCase() {
  const services = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationKey: switchKey,
    mutationFn: async (id: string) => {
      await Promise.all([
        queries.cancelQueries({ queryKey: queryKeys.client }),
        queries.cancelQueries({ queryKey: queryKeys.activeCase }),
      ]);
      return services.call('PUT /client/active-case', { body: { id } });
    },
    onSuccess: (client) => {
      takeClient(services, client);
      queries.setQueryData(queryKeys.client, client);
    },
  });
}

/** The active case is being changed at this moment: neither the old one nor the new one should be shown. */
export const useIsSwitchingCase = (): boolean => useIsMutating({ mutationKey: switchKey }) > 0;

const switchKey = ['switch-case'];

/**
 * Asked again every quarter of a minute while the page is seen, when it is seen again, and at once when the browser is
 * online again; seldom while the real-time channel tells what changed. Not while the case is being changed: an answer
 * about the old one must not come after the new one.
 */
function useFreshness() {
  const isSwitching = useIsSwitchingCase();
  const isLive = useIsLive();
  return {
    enabled: !isSwitching,
    refetchInterval: intervalFor(isLive),
    refetchOnWindowFocus: true,
    refetchOnReconnect: 'always',
  } as const;
}

/** Milliseconds. What the bank is confirming is asked for more often. */
function intervalFor(isLive: boolean, statuses: (PaymentStatus | undefined)[] = []): number {
  if (statuses.includes('processing')) return isLive ? 10_000 : 2_000;
  return isLive ? 3 * 60_000 : 15_000;
}

/** Changes with every change of a payment for a search. */
const paymentMarks = (caseSearches: CaseSearch[]): string =>
  caseSearches.map(({ id, status, payment }) => [id, status, payment?.status].join()).join(' ');

function clientQuery(services: Services) {
  const { auth, call } = services;
  const caseState = caseStoreOf(services);
  return queryOptions({
    queryKey: queryKeys.client,
    queryFn: async (context) => {
      const client = await call('GET /client', background(context));
      if (!context.signal.aborted) takeClient(services, client);
      return client;
    },
    initialData: (): Client | undefined => {
      const client = auth.get()?.client;
      const { conveyancingCase } = caseState.get();
      if (!client || !conveyancingCase || client.active_case?.id !== conveyancingCase.id) return undefined;
      return { ...client, conveyancing_case: conveyancingCase };
    },
    // From the last visit: shown, and asked for again at once.
    initialDataUpdatedAt: 0,
  });
}

/** Keeps the client and the case; another case than before starts a new count. */
function takeClient(services: Services, client: Client): void {
  services.auth.setClient(client);
  caseStoreOf(services).setConveyancingCase(client.conveyancing_case);
}

/** The first reading is the client's doing; what follows, the page does by itself. */
function background({ client, queryKey, signal }: QueryFunctionContext) {
  const state = client.getQueryState(queryKey);
  return { signal, background: (state?.dataUpdateCount ?? 0) + (state?.errorUpdateCount ?? 0) > 0 };
}
