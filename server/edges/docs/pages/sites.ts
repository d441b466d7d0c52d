/** The guide to sites: from a page to an address, and everything that belongs to one. */
import { checkRules } from '../../../areas/sites/service.ts'
import { limits } from '../../../contract/limits.ts'
import { programBlock, shellBlock } from '../code-block.ts'
import { bearerHeader, curl } from '../describe/curl.ts'
import { bytesText, durationText, numberText } from '../describe/words.ts'
import { html, type Html } from '../html.ts'
import { pairTable } from '../pair-table.ts'
import { code, prose } from '../prose.ts'
import { errorPath, paths, type Page, type Site } from '../site.ts'
import { headersExample, redirectsExample, siteChange, siteInput } from '../site-example.ts'

export function sitesPage(site: Site): Page {
  return {
    path: paths.sites,
    title: 'Publishing a site',
    about: 'How to publish a website: files in, address out, with versions, passwords and a check.',
    main: html`<h1>Publishing a site</h1>
      <p class="lead">
        Files in, address out. A site is served at ${code(`https://<slug>.${site.sites_domain}`)},
        is free, and is real with a test key too.
      </p>
      <ol class="tour">
        ${steps(site)}
      </ol>
      <h2 id="visibility">Who sees it</h2>
      ${visibility(site)}
      <h2 id="addresses">Which file answers</h2>
      ${addresses()}
      <h2 id="rules">Redirects and headers</h2>
      ${rules()}
      <h2 id="forms">Forms and pictures</h2>
      ${together(site)}
      <h2 id="check">The check before publication</h2>
      ${check()}
      <h2 id="limits">Limits</h2>
      ${bounds()}`,
  }
}

function send(
  site: Site,
  method: 'POST' | 'PUT' | 'PATCH',
  [path, body]: [string, unknown],
): string {
  return curl({
    method,
    url: site.base_url + path,
    headers: [bearerHeader, 'Content-Type: application/json'],
    body,
  })
}

function steps(site: Site): Html {
  return html`<li>
      <h3>Publish it</h3>
      <p>
        Each file has a path and its content: text as it is, anything else with
        ${code('"encoding": "base64"')}. The reply has the address in ${code('url')}, and hints in
        ${code('warnings')}.
      </p>
      ${shellBlock('POST /sites', send(site, 'POST', ['/sites', siteInput]))}
    </li>
    <li>
      <h3>Send files that are too large to write down</h3>
      <p>
        ${prose(
          site,
          'POST /sites/uploads takes the sha256, the size and the type of each file, and answers ' +
            'with a link for each that is not there already. Send the bytes with PUT to the link, ' +
            `within ${durationText(limits.upload_link_lifetime_s)}. In the deploy the file has sha256 and ` +
            'bytes in the place of content.',
        )}
        So no bytes pass through a chat, and only what changed is sent.
      </p>
    </li>
    <li>
      <h3>Change it</h3>
      <p>
        ${prose(site, 'PUT /sites/{id} publishes a new version.')} With ${code('keep_others')} the
        files given are added to those that are live, and ${code('delete')} takes paths away;
        without it, what is not named is gone. Visitors see the old version until all of the new one
        is there. With the ${code('ETag')} you read in ${code('If-Match')}, a change that somebody
        else made meanwhile is never overwritten: the answer is 412.
      </p>
      ${shellBlock('PUT /sites/{id}', send(site, 'PUT', ['/sites/<id>', siteChange]))}
    </li>
    <li>
      <h3>Look at a version, or go back to one</h3>
      <p>
        ${prose(
          site,
          'Every version has an address of its own, which search engines are told to leave alone: ' +
            'preview_url, and GET /sites/{id}/versions. POST /sites/{id}/rollback shows an earlier ' +
            'one again, at once.',
        )}
      </p>
    </li>
    <li>
      <h3>Or publish a folder</h3>
      <p>
        Where Homeport runs, a command does all of it: it finds what changed, leaves out what is not
        for visitors, and prints the address.
      </p>
      ${shellBlock('On the server', 'npm run -s homeport -- deploy dist --slug mill-bakery')}
    </li>`
}

function visibility(site: Site): Html {
  return html`${pairTable(
      ['visibility', 'Means'],
      [
        [
          code('public'),
          html`For everybody. It needs a verified phone number or a payment method behind it:
          otherwise ${problem('phone_verification_required')}.`,
        ],
        [
          code('unlisted'),
          'For whoever has the address, which nobody can guess. Search engines are told to stay away.',
        ],
        [
          code('password'),
          html`For whoever knows the ${code('password')}. The page that asks for it needs no script,
          and so does the whole site. A new password ends what the old one opened.`,
        ],
      ],
    )}
    <p>
      ${prose(site, 'PATCH /sites/{id} changes it, and title, slug and spa, without a new version.')}
    </p>`
}

function addresses(): Html {
  return html`<ul>
    <li>
      ${code('/about')} shows ${code('about.html')} or ${code('about/index.html')}; the folder gets
      its slash. ${code('/')} shows ${code('index.html')}.
    </li>
    <li>
      What is not there is answered with ${code('404.html')} of the site. With
      ${code('"spa": true')} a page that is not there is answered with ${code('index.html')}, for
      apps that find their way in the browser; a missing script or picture still is not found.
    </li>
    <li>
      Pictures are sent smaller on request: ${code('photo.jpg?width=640')}, as WebP or with
      ${code('&format=avif')} or ${code('&format=jpeg')}. Widths are rounded up to
      ${limits.media_widths.join(', ')} pixels, and no picture is enlarged. Let the browser choose:
      ${code('<img src="photo.jpg" sizes="100vw" srcset="photo.jpg?width=640 640w, photo.jpg?width=1280 1280w">')}
    </li>
    <li>
      Files are compressed at the deploy and come with a strong ETag. Pages are asked for again each
      time; files whose names carry a fingerprint, such as ${code('app-3f9a1c2b.js')}, are kept by
      browsers for a year.
    </li>
    <li>
      A site is on a host of its own. It shares no cookies with the API, the portal or another site.
    </li>
  </ul>`
}

function rules(): Html {
  return html`<p>
      Two files of a site are read at the deploy and never served. Their grammar is the one of
      Netlify and Cloudflare. A line that cannot be used is named in ${code('warnings')}, with the
      reason; the others hold.
    </p>
    ${programBlock('_redirects', redirectsExample)}
    <p>
      The first line that fits wins. The status is 301 where none is given; 200 shows another page
      of the same site under the address that was asked for. A file that is there goes first, unless
      the status has a ${code('!')} behind it.
    </p>
    ${programBlock('_headers', headersExample)}
    <p>
      Cookies, and what belongs to how answers are sent, cannot be set; the security headers that
      every site has can be replaced.
    </p>`
}

function together(site: Site): Html {
  return html`<ul>
    <li>
      A form is one tag away: <a href="${paths.forms}">forms</a> add documents to a collection, with
      or without JavaScript.
    </li>
    <li>
      Pictures and recordings come from the <a href="${paths.media}">media library</a>:
      ${code('"media": [{"media_id": "…", "path": "images/door.webp"}]')} puts a file on the site.
      It counts for nothing of the size of a site, and cannot be deleted while it is shown.
    </li>
    <li>${prose(site, 'GET /sites/{id}/files/{path} gives a file back as it was deployed.')}</li>
  </ul>`
}

function check(): Html {
  return html`<p>
      Every deploy is looked at before it is public. What breaks one of these rules is refused with
      ${problem('site_blocked')}: ${code('findings')} says which file, which line, what, why, and
      what to do instead. What was live before stays live. A page that only names a bank, takes
      PayPal, or warns of such tricks breaks none of them.
    </p>
    ${pairTable(
      ['Rule', 'What it stops'],
      Object.entries(checkRules).map(([name, { stops, why }]) => [
        code(name),
        html`${stops.charAt(0).toUpperCase() + stops.slice(1)}. ${why}`,
      ]),
    )}
    <p>
      Where the check is wrong, ${code('appeal_url')} is a page on which the owner says so, without
      signing in. A person decides. What was allowed is not held against that site again.
    </p>`
}

function problem(slug: Parameters<typeof errorPath>[0]): Html {
  return html`<a href="${errorPath(slug)}">${code(slug)}</a>`
}

function bounds(): Html {
  return html`${pairTable(
      ['What', 'At most'],
      [
        ['Sites of a project', numberText(limits.sites_max)],
        ['Files of a site', numberText(limits.site_files_max)],
        ['One file', bytesText(limits.site_file_bytes_max)],
        ['All files of a site together', bytesText(limits.site_bytes_max)],
        ['Files of the media library on a site', numberText(limits.site_media_max)],
        ['Deploys in an hour', numberText(limits.deploys_per_hour_max)],
        ['The same in the first week', numberText(limits.first_week_deploys_per_hour_max)],
        ['Versions that are kept', numberText(limits.site_versions_kept_max)],
      ],
    )}
    <p>There are more <a href="${paths.limits}">limits</a>, and what each plan includes.</p>`
}
