import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  children: ReactNode;
  fallback(error: unknown): ReactNode;
  /** When it changes, the components are tried again. */
  page?: unknown;
}

interface ErrorBoundaryState {
  caught: { error: unknown } | null;
  page: unknown;
  /** Whether the components of this page were rendered a second time. */
  hasRetried: boolean;
}

/**
 * Shows something else in place of components that have failed, until the next page. Components that failed because
 * something else, such as an extension of the browser, had changed their elements are rendered once more first.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { caught: null, page: this.props.page, hasRetried: false };

  static getDerivedStateFromError(error: unknown) {
    return { caught: { error } };
  }

  static getDerivedStateFromProps({ page }: ErrorBoundaryProps, state: ErrorBoundaryState) {
    return page === state.page ? null : { caught: null, page, hasRetried: false };
  }

  override componentDidCatch(error: unknown) {
    const hasForeignElements = error instanceof DOMException && error.name === 'NotFoundError';
    if (hasForeignElements && !this.state.hasRetried) this.setState({ caught: null, hasRetried: true });
  }

  override render() {
    const { caught } = this.state;
    return caught ? this.props.fallback(caught.error) : this.props.children;
  }
}
