import { hash } from 'node:crypto';
import type { RequestPolicy } from '@keyturn/contract';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { readBrand } from '../../firm/firm-brand.ts';
import { unloggedPolicy } from '../../http/route-policy.ts';
import type { Connection } from '../../platform/database.ts';
import { readFirmData } from '../../platform/firm-data/firm-data.ts';
import { firmLogos } from '../../schema/tables/firm-data-tables.ts';

/*
 * The firm's colour and logo reach the dashboard as a style sheet that its pages link to, so that the dashboard needs no
 * code for them, and the content security policy no exception.
 */

/** Pixels, of the logo in the header. */
const logoBox = { width: 200, height: 40 };

/** Returns the path of the style sheet for the dashboard’s pages; null if the firm has neither a colour nor a logo. */
export async function findStyleSheet(connection: Connection): Promise<string | null> {
  const { value } = await readFirmData(connection, 'brand');
  if (value.colour === null && value.logo === null) return null;
  return `/firm/style-${hash('sha256', JSON.stringify([value.colour, value.logo, value.logo_has_name]), 'hex').slice(0, 16)}.css`;
}

/** Creates the plugin that sends the firm’s style sheet and its logos to everyone. */
export const serveFirmFiles =
  (connection: Connection) =>
  async (app: FastifyInstance): Promise<void> => {
    app.get<{ Params: { file: string } }>('/firm/:file', { config: { policy } }, async (request, reply) => {
      const { file } = request.params;
      // A logo or style sheet that is opened directly must not run or load anything.
      reply.header('content-security-policy', "default-src 'none'; sandbox");
      if (file.startsWith('style-')) {
        const isCurrent = (await findStyleSheet(connection)) === `/firm/${file}`;
        reply.header('cache-control', isCurrent ? immutable : 'no-cache');
        return reply.type('text/css; charset=utf-8').send(await writeStyleSheet(connection));
      }
      const [, id = ''] = /^logo-([0-9a-f]{64})\.(?:png|webp)$/.exec(file) ?? [];
      const [logo] = await connection.select().from(firmLogos).where(eq(firmLogos.id, id));
      if (!logo) return reply.code(404).type('text/plain; charset=utf-8').send('Not found\n');
      return reply.header('cache-control', immutable).type(logo.mediaType).send(logo.content);
    });
  };

/** They are read from the database. */
const policy: RequestPolicy = { ...unloggedPolicy, cookies: 'allowed-origins', limit: 'all' };

const immutable = 'public, max-age=31536000, immutable';

/** Everything in it is checked before it is stored: the colour is a hexadecimal number, and the logo has our own path. */
async function writeStyleSheet(connection: Connection): Promise<string> {
  const { value } = await readBrand(connection);
  const { colour, logo, logo_has_name } = value;
  const rules = [colour === null ? '' : `:root{--brand:${colour}}`];
  if (logo) {
    const scale = Math.min(logoBox.width / logo.width, logoBox.height / logo.height);
    const [width, height] = [logo.width, logo.height].map((side) => Math.max(1, Math.round(side * scale)));
    // A dark logo needs a light background in the dark theme.
    rules.push(
      '.firm-brand>svg{display:none}',
      `.firm-brand::before{content:"";flex:none;width:${width}px;height:${height}px;max-width:100%;padding:4px;border-radius:4px;background:url(${logo.url}) center/contain no-repeat content-box light-dark(transparent,#fff);print-color-adjust:exact}`,
      ...(logo_has_name ? ['.firm-brand>span{position:absolute;clip-path:inset(50%)}'] : []),
    );
  }
  return rules.join('\n');
}
