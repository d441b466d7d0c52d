/** Limits of sites. */
import { HOUR_S, MB, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  sites_max: {
    value: 3,
    unit: 'sites',
    about: 'Sites per project, on every plan',
    applies_to: 'POST /sites',
  },
  site_files_max: {
    value: 50,
    unit: 'files',
    about: 'Files of one site',
    applies_to: 'deploys',
  },
  site_file_bytes_max: {
    value: 1 * MB,
    unit: 'bytes',
    about: 'Size of one file of a site, after base64 decoding',
    applies_to: 'deploys',
  },
  site_bytes_max: {
    value: 5 * MB,
    unit: 'bytes',
    about: 'Size of all files of a site together, after base64 decoding',
    applies_to: 'deploys',
  },
  site_media_max: {
    value: 200,
    unit: 'files',
    about: 'Files of the media library used on one site',
    applies_to: 'deploys',
  },
  site_body_bytes_max: {
    value: 8 * MB,
    unit: 'bytes',
    about: 'Size of the body of a deploy, including base64',
    applies_to: 'POST /sites, PUT /sites/{id}',
  },
  site_slug_characters_max: {
    value: 48,
    unit: 'characters',
    about: 'Length of a slug; at least 2',
    applies_to: 'POST /sites, PUT /sites/{id}, PATCH /sites/{id}',
  },
  site_path_bytes_max: {
    value: 512,
    unit: 'bytes',
    about: 'Length of the path of a file',
    applies_to: 'deploys',
  },
  site_password_characters_min: {
    value: 6,
    unit: 'characters',
    about: 'Least length of the password of a site',
    applies_to: 'sites with a password',
  },
  site_password_characters_max: {
    value: 128,
    unit: 'characters',
    about: 'Length of the password of a site',
    applies_to: 'sites with a password',
  },
  site_versions_kept_max: {
    value: 50,
    unit: 'versions',
    about: 'Newest versions of a site that are kept, in addition to the live one',
    applies_to: 'sites',
  },
  site_review_kept_s: {
    value: 90 * 86_400,
    unit: 'seconds',
    about: 'Time within which a refused deploy can be appealed',
    applies_to: 'sites',
  },
  site_appeal_characters_max: {
    value: 4000,
    unit: 'characters',
    about: 'Length of the text of an appeal',
    applies_to: 'sites',
  },
  deploys_per_hour_max: {
    value: 120,
    unit: 'deploys',
    about: 'Deploys per hour',
    applies_to: 'sites',
  },
  first_week_deploys_per_hour_max: {
    value: 30,
    unit: 'deploys',
    about: 'Deploys per hour in the first week, until a first top-up or approved verification',
    applies_to: 'sites',
  },
  first_week_s: {
    value: 7 * 24 * HOUR_S,
    unit: 'seconds',
    about: "Length of a project's first week",
    applies_to: 'sites',
  },
  site_static_redirects_max: {
    value: 2_000,
    unit: 'redirects',
    about: 'Lines of _redirects without * and :placeholders',
    applies_to: 'deploys',
  },
  site_dynamic_redirects_max: {
    value: 100,
    unit: 'redirects',
    about: 'Lines of _redirects with * or :placeholders',
    applies_to: 'deploys',
  },
  site_header_rules_max: {
    value: 100,
    unit: 'paths',
    about: 'Paths in _headers',
    applies_to: 'deploys',
  },
  site_rule_characters_max: {
    value: 2_000,
    unit: 'characters',
    about: 'Length of a line of _redirects or _headers',
    applies_to: 'deploys',
  },
  site_headers_characters_max: {
    value: 12_000,
    unit: 'characters',
    about: 'Headers that _headers can add to one response',
    applies_to: 'sites',
  },
} as const satisfies Record<string, LimitEntry>
