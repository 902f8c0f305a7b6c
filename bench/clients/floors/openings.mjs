const clientInfo = { name: 'floor', version: '1.0.0' };

/** What goes with every modern request. */
const stamp = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The params of a call in either era; `progressToken` where reports are wanted. */
export const paramsOf = (era, params, progressToken) => {
  if (era === 'modern') {
    return { ...params, _meta: progressToken === undefined ? stamp : { ...stamp, progressToken } };
  }
  return progressToken === undefined ? params : { ...params, _meta: { progressToken } };
};

/** Opens the conversation in the way of the era. */
export const shakeHands = async (era, request, notify) => {
  if (era === 'modern') {
    await request('server/discover', paramsOf(era, {}));
    return;
  }
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  notify({ jsonrpc: '2.0', method: 'notifications/initialized' });
};
