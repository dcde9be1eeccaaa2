/**
 * The default messages of the error page by status. They are in a separate file, so that browsers need not download
 * the schemas.
 */
export const defaultMessages: Record<number, string> & { 404: string; 500: string; 503: string } = {
  404: 'The page you are looking for does not exist.',
  500: 'An unexpected error has occurred.',
  503: 'We are currently in maintenance, please try again later.',
};
