/** Thrown to show another address instead. It replaces the one in the history. */
export class Redirect extends Error {
  readonly href: string;

  constructor(href: string) {
    super(`redirected to ${href}`);
    this.href = href;
  }
}

/** Thrown for a path that leads to no screen. Without a text for the client, the error page’s own is shown. */
export class NotFound extends Error {
  readonly shownText: string | undefined;

  constructor(shownText?: string) {
    super('not found');
    this.shownText = shownText;
  }
}
