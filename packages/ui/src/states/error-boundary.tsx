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
}

/** Shows something else in place of components that have failed, until the next page. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { caught: null, page: this.props.page };

  static getDerivedStateFromError(error: unknown) {
    return { caught: { error } };
  }

  static getDerivedStateFromProps({ page }: ErrorBoundaryProps, state: ErrorBoundaryState) {
    return page === state.page ? null : { caught: null, page };
  }

  override render() {
    const { caught } = this.state;
    return caught ? this.props.fallback(caught.error) : this.props.children;
  }
}
