/** Limits of media. */
import { MB, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  site_picture_copies_bytes_max: {
    value: 200 * MB,
    unit: 'bytes',
    about: 'Total size of resized pictures after which requests of visitors create no new ones',
    applies_to: 'project',
  },
  media_search_s_max: {
    value: 3,
    unit: 'seconds',
    about: 'Time for a search of the media library',
    applies_to: 'GET /media',
  },
  visitors_part: {
    value: 5,
    unit: 'parts',
    about:
      'What visitors send may use one of this many equal parts of the files, and of the data, of ' +
      'the plan',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  form_file_bytes_max: {
    value: 10 * MB,
    unit: 'bytes',
    about: 'Size of one file of a form submission',
    applies_to: 'POST /public/collections/{name}/documents',
  },
  media_uploads_max: {
    value: 50,
    unit: 'files',
    about: 'Files announced in one request',
    applies_to: 'POST /media/uploads',
  },
  media_batch_files_max: {
    value: 100,
    unit: 'files',
    about: 'Files changed or deleted by one request',
    applies_to: 'POST /media/batch',
  },
  media_file_bytes_max: {
    value: 100 * MB,
    unit: 'bytes',
    about: 'Size of one file of the media library',
    applies_to: 'POST /media/uploads',
  },
  media_recording_index_bytes_max: {
    value: 16 * MB,
    unit: 'bytes',
    about: 'Size of the metadata of an MP4 or QuickTime file',
    applies_to: 'POST /media/uploads',
  },
  media_picture_bytes_max: {
    value: 40 * MB,
    unit: 'bytes',
    about: 'Size of a picture that can be read',
    applies_to: 'media',
  },
  media_pixels_max: {
    value: 50_000_000,
    unit: 'pixels',
    about: 'Pixels of a picture that can be read',
    applies_to: 'media',
  },
  media_avif_pixels_max: {
    value: 20_000_000,
    unit: 'pixels',
    about: 'Pixels of an AVIF picture that can be read; each costs as much as ten of another',
    applies_to: 'media',
  },
  media_read_s_max: {
    value: 20,
    unit: 'seconds',
    about: 'Time limit for reading a file or resizing a picture',
    applies_to: 'media',
  },
  media_widths: {
    value: [160, 320, 640, 960, 1280, 1920, 2560],
    unit: 'pixels',
    about: 'Widths of resized pictures',
    applies_to: 'GET /media/{id}/link, pictures of sites',
  },
  media_link_lifetime_s: {
    value: 900,
    unit: 'seconds',
    about: 'How long a link to a file is valid',
    applies_to: 'GET /media/{id}/link',
  },
  media_import_bytes_max: {
    value: 20 * MB,
    unit: 'bytes',
    about: 'Size of a file imported from a URL',
    applies_to: 'POST /media/import',
  },
  media_import_s_max: {
    value: 20,
    unit: 'seconds',
    about: 'Time limit for an import from a URL, redirects included',
    applies_to: 'POST /media/import',
  },
  media_import_redirects_max: {
    value: 3,
    unit: 'redirects',
    about: 'Redirects followed by an import from a URL',
    applies_to: 'POST /media/import',
  },
  media_tags_max: {
    value: 20,
    unit: 'tags',
    about: 'Tags of one file of the media library',
    applies_to: 'media',
  },
} as const satisfies Record<string, LimitEntry>
