import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Bakery } from './bakery.js';

const app = document.getElementById('app');
if (app !== null) {
  createRoot(app).render(
    <StrictMode>
      <Bakery />
    </StrictMode>,
  );
}
