// One of several processes: connects, lists, calls, and ends. What others have found out it need not ask for.
import { clientCredentials } from '../../src/auth/index.js'; // 'rx-mcp/auth'
import { connectHttp } from '../../src/index.js'; // 'rx-mcp'
import { redisStores } from './stores.js';

const [redis = '', origin = ''] = process.argv.slice(2);
const stores = await redisStores(redis);
const { cache, eraCache, tokens } = stores;
const authProvider = clientCredentials({
  client: { issuer: origin, clientId: 'worker', clientSecret: 'a secret of an example' },
  store: tokens,
});
const mcp = connectHttp({ url: `${origin}/mcp`, cache, eraCache, authProvider });
try {
  const [tool] = await mcp.promises.listTools();
  const { content } = await mcp.promises.callTool(tool?.name ?? '');
  console.log(content.map((block) => (block.type === 'text' ? block.text : block.type)).join());
} finally {
  await mcp.close();
  await stores.close();
}
