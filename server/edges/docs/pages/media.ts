/** The guide to the media library: how a file gets in, what becomes of it, and how it is shown. */
import { limits } from '../../../contract/limits.ts'
import { shellBlock } from '../code-block.ts'
import { bearerHeader, curl } from '../describe/curl.ts'
import { bytesText, durationText, numberText } from '../describe/words.ts'
import { html, type Html } from '../html.ts'
import { pairTable } from '../pair-table.ts'
import { code, prose } from '../prose.ts'
import { errorPath, paths, type Page, type Site } from '../site.ts'

export function mediaPage(site: Site): Page {
  return {
    path: paths.media,
    title: 'The media library',
    about: 'How pictures, recordings and documents get into the media library and onto a site.',
    main: html`<h1>The media library</h1>
      <p class="lead">
        Pictures, recordings and documents of a project, kept once and shown on its sites. They are
        private: nobody sees a file until a site names it, or somebody is given a link.
      </p>
      <ol class="tour">
        ${steps(site)}
      </ol>
      <h2 id="import">From an address, or from visitors</h2>
      ${otherWays(site)}
      <h2 id="kept">What is kept</h2>
      ${kept()}
      <h2 id="links">Links and smaller copies</h2>
      ${links(site)}
      <h2 id="order">Finding and tidying</h2>
      ${order(site)}
      <h2 id="limits">Limits</h2>
      ${bounds()}`,
  }
}

function post(site: Site, path: string, body: unknown): string {
  return curl({
    method: 'POST',
    url: site.base_url + path,
    headers: [bearerHeader, 'Content-Type: application/json'],
    body,
  })
}

const upload = {
  files: [
    {
      filename: 'door.jpg',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      bytes: 248_113,
      content_type: 'image/jpeg',
    },
  ],
}

function steps(site: Site): Html {
  return html`<li>
      <h3>Say what comes</h3>
      <p>
        Name, SHA-256, size and type of each file. The reply has an ${code('upload_id')} and a link
        for each, or says that the bytes are ${code('already_there')}.
      </p>
      ${shellBlock('POST /media/uploads', post(site, '/media/uploads', upload))}
    </li>
    <li>
      <h3>Send the bytes to the link</h3>
      <p>
        The link takes them once, within ${durationText(limits.upload_link_lifetime_s)}, with the
        headers that the reply names. They are checked against size and SHA-256 while they come. So
        no bytes pass through a chat.
      </p>
      ${shellBlock('To the link', 'curl -T door.jpg "<url>"')}
    </li>
    <li>
      <h3>Complete it</h3>
      <p>
        ${prose(
          site,
          'POST /media/uploads/{id}/complete looks at the file and puts it into the library: what it ' +
            'is is told by its bytes, with width, height, duration_sec and a placeholder.',
        )}
        Bytes that never came are ${problem('upload_not_received')}.
      </p>
    </li>
    <li>
      <h3>Put it on a site</h3>
      <p>
        ${code('"media": [{"media_id": "…", "path": "images/door.jpg"}]')} in the deploy of a
        <a href="${paths.sites}">site</a>. From then on it is public there.
      </p>
    </li>`
}

function otherWays(site: Site): Html {
  return html`<ul>
    <li>
      ${prose(site, 'POST /media/import takes a file from a public address, up to ')}
      ${bytesText(limits.media_import_bytes_max)}. Private and local addresses are refused.
    </li>
    <li>
      A <a href="${paths.forms}">form on a website</a> puts the files that visitors choose into the
      folder ${code('forms/<collection>')}, and their ids into the document.
    </li>
  </ul>`
}

function kept(): Html {
  return html`<ul>
    <li>
      Pictures are kept without what the camera wrote into them: place, time, owner and thumbnails
      are gone before anybody sees the file. Those that lie on their side are turned upright. MP4
      and QuickTime recordings are kept without the place where they were made.
    </li>
    <li>
      A file that is damaged is ${code('failed')}, with the reason in ${code('status_reason')}; a
      program is ${code('blocked')}. Neither can be put on a site.
    </li>
    <li>
      SVG and HTML are kept, but never shown as documents on the address of the service itself.
    </li>
  </ul>`
}

function links(site: Site): Html {
  const widths = limits.media_widths.map((width) => code(String(width)))
  return html`<p>
    ${prose(site, 'GET /media/{id}/link gives a link to the file')} for
    ${durationText(limits.media_link_lifetime_s)}. With ${code('width')} and ${code('format')}
    (${code('webp')}, ${code('avif')} or ${code('jpeg')}) it is a smaller copy of a picture, made
    when it is first asked for. Widths are ${widths.map((width) => html`${width} `)}pixels, never
    wider than the picture itself.
  </p>`
}

function order(site: Site): Html {
  return html`<ul>
    <li>
      ${prose(site, 'GET /media lists what is there, newest first.')} ${code('q')} finds words in
      names, titles, descriptions and tags; ${code('kind')}, ${code('folder')} and ${code('tag')}
      narrow it.
    </li>
    <li>
      ${prose(site, 'PATCH /media/{id} changes alt, title, tags, folder and filename.')} Give every
      picture an ${code('alt')}: it is what people hear who do not see it.
    </li>
    <li>
      ${prose(site, 'DELETE /media/{id}')} is refused with ${problem('conflict')} while a live site
      shows the file; ${code('used_on')} says where.
    </li>
  </ul>`
}

function problem(slug: Parameters<typeof errorPath>[0]): Html {
  return html`<a href="${errorPath(slug)}">${code(slug)}</a>`
}

function bounds(): Html {
  return html`${pairTable(
      ['What', 'At most'],
      [
        ['A file', bytesText(limits.media_file_bytes_max)],
        ['A picture', bytesText(limits.media_picture_bytes_max)],
        ['Its width times its height', `${numberText(limits.media_pixels_max)} pixels`],
        ['A file that is imported', bytesText(limits.media_import_bytes_max)],
        ['Files announced at once', numberText(limits.media_uploads_max)],
        ['Tags of a file', numberText(limits.media_tags_max)],
      ],
    )}
    <p>
      All files of a project together count for what its plan includes; see the
      <a href="${paths.limits}">limits</a>.
    </p>`
}
