// And from a CommonJS module, which finds the declarations of its own.
import { connectHttp } from 'rx-mcp';
import { connectStdio } from 'rx-mcp/stdio';

const mcp = connectHttp({ url: process.env['SERVER'] ?? '' });

const main = async (): Promise<void> => {
  const tools: readonly { readonly name: string }[] = await mcp.promises.listTools();
  await mcp.close();
  if (typeof connectStdio !== 'function' || tools[0]?.name !== 'bake') throw new Error('not listed');
  console.log('works');
};

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
