/** Errors of sites. */
import type { ErrorEntry } from '../../contract/catalogue/entries/error-entry.ts'
import { limits } from '../../contract/limits.ts'
import { formatSize } from '../../kernel/values/size.ts'

export const errors = {
  site_limit_reached: {
    status: 422,
    about: `The project already has its maximum of ${limits.sites_max} sites.`,
    user: 'This project already has as many sites as it may have.',
    next:
      'Publish a new version of a site from GET /sites with PUT /sites/{id}, or ask the user ' +
      'which site can be deleted to make room.',
  },
  slug_taken: {
    status: 409,
    about: 'Another site already has this slug, which is the first part of its address.',
    user: 'Another site already has this address, so please choose a different one.',
    next:
      'Suggest a slug that is not taken, for example with the town or the trade added, and ' +
      'send the request again.',
  },
  slug_reserved: {
    status: 422,
    about:
      'The slug is reserved: www, api, app, docs, test, demo and everything that begins with ' +
      'the name of the service.',
    user: 'This address is reserved, so please choose a different one.',
    next: 'Suggest a slug made from the name of the business and send the request again.',
  },
  site_too_large: {
    status: 422,
    about:
      `The site has more than ${limits.site_files_max} files, more than ` +
      `${formatSize(limits.site_file_bytes_max)} in one file or more than ` +
      `${formatSize(limits.site_bytes_max)} in total, counted after base64 decoding.`,
    user: 'The site is too large to be published.',
    next:
      'Leave out files that are not needed and make pictures smaller, or keep them in the ' +
      'media library and name them in the media field of POST /sites or PUT /sites/{id}.',
  },
  site_blocked: {
    status: 422,
    about:
      'The check before publication stopped the deploy of the site. Nothing was published, and ' +
      'what was live before still is. The member findings says for each rule that was broken ' +
      'where, what, why, and what to do instead; appeal_url is a page for the owner, where ' +
      'they can say that the check is wrong.',
    user: 'The site did not pass the safety check, so it was not published.',
    next:
      'Change in the pages what findings names and deploy again. If the check is wrong, give ' +
      'the owner appeal_url: there they can say so, and a person decides.',
  },
  site_offline: {
    status: 403,
    about:
      'The site was taken offline because of abuse. The member appeal_url is a page for the ' +
      'owner, where they can object.',
    user: 'This site was taken offline because it was misused.',
    next:
      'Do not publish it again, here or under another address. If that is wrong, give the owner ' +
      'appeal_url: there they can say so, and a person decides.',
  },
  deploy_limit_reached: {
    status: 429,
    about:
      `The project may deploy ${limits.deploys_per_hour_max} times per hour, and ` +
      `${limits.first_week_deploys_per_hour_max} times in its first week until a first top-up ` +
      'or an approved verification.',
    user: 'There were many publications in a short time, so please wait a while.',
    next:
      'Collect the changes and publish them together once the hour has passed. A new project ' +
      'may deploy more often after a first top-up (portal, Billing) or an approved ' +
      'verification (portal, Go live).',
  },
  phone_verification_required: {
    status: 403,
    about:
      'Publishing a public site or connecting an own domain needs a verified phone number or a ' +
      'payment method; ordering a live number needs the verified phone number.',
    user: 'Please verify your phone number first.',
    next:
      'Ask the owner to verify their phone number in the portal under Verification, or to save ' +
      'a card in the portal under Billing where that is enough, then send the same request ' +
      'again.',
  },
} as const satisfies Record<string, ErrorEntry>
