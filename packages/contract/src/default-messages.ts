/** The messages of the error page by status, where nothing more precise is known. Downloaded without the schemas. */
export const defaultMessages: Record<number, string> & { 404: string; 500: string; 503: string } = {
  404: 'The page you are looking for does not exist.',
  500: 'An unexpected error has occurred.',
  503: 'We are currently in maintenance, please try again later.',
};
