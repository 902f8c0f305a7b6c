/** How long next to nothing may take, in ms. */
const LIMIT_MS = 30_000;

const late = () => {
  let timer;
  const gone = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${LIMIT_MS / 1_000} s`)), LIMIT_MS);
  });
  return { gone, stop: () => clearTimeout(timer) };
};

/**
 * Has every client of every row do next to nothing, in this process, to see that each can do it at all. Resolves to what went
 * wrong, as `row, client: why`; empty where all is well.
 */
export const smoke = async (rows) => {
  const wrong = [];
  for (const row of rows) {
    for (const client of row.clients) {
      const { gone, stop } = late();
      try {
        const { value } = await Promise.race([row.run(client, { work: 'smoke' }), gone]);
        if (!Number.isFinite(value)) throw new Error(`the value is ${value}`);
      } catch (error) {
        wrong.push(`${row.name}, ${client}: ${error.message}`);
      } finally {
        stop();
      }
    }
  }
  return wrong;
};
