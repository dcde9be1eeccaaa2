import { Component, type ReactNode } from 'react';
import type { Page } from '../../navigation/router.ts';
import { CaughtError } from './caught-error.tsx';

interface ErrorBoundaryProps {
  page: Page | null;
  children: ReactNode;
}

/** Replaces a page that failed to render, until the next page. */
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
    return caught ? <CaughtError error={caught.error} /> : this.props.children;
  }
}

interface ErrorBoundaryState {
  caught: { error: unknown } | null;
  page: Page | null;
}
