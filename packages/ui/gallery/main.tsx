import '../src/base/base.css';
import '../src/base/fonts.css';
import '../src/base/tokens.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Gallery } from './gallery.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no element for the gallery');
createRoot(root).render(
  <StrictMode>
    <Gallery />
  </StrictMode>,
);
