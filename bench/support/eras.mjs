/** Both eras of the protocol, the older first. */
export const eras = ['legacy', 'modern'];

/** The revision that stands for an era. */
export const eraOf = (era) => (era === 'modern' ? '2026' : '2025');

/** The clients that speak an era. */
export const without = (era, clients) => (era === 'modern' ? clients.filter((name) => name !== 'official-1') : clients);
