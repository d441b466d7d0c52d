/** The operations of the media library, which belongs to the whole project. */
import { limits } from '../../contract/limits.ts'
import { operation } from '../../contract/operation.ts'
import { importFile } from './intake/import.ts'
import { createLink as writeLink } from './link.ts'
import {
  ImportInput,
  Link,
  LinkQuery,
  Media,
  MediaBatch,
  MediaBatchInput,
  MediaChange,
  MediaList,
  MediaParams,
  MediaQuery,
  MediaUploads,
  MediaUploadsInput,
} from './schema.ts'
import { changeMany } from './batch.ts'
import * as media from './service.ts'
import * as uploads from './intake/uploads.ts'
import { formatSize } from '../../kernel/values/size.ts'

export const createUploads = operation({
  name: 'media.create_uploads',
  route: 'POST /media/uploads',
  about:
    'Creates an upload link for each file to add to the media library. Send the bytes ' +
    'to the link with PUT, then complete the upload.',
  keywords:
    'photo, picture, image, video, save for later, presigned, store, large, pic, file, put ' +
    'with the others, brochure, certificate, audio, menu',
  scope: 'sites:write',
  reach: 'project',
  effect: 'write',
  body: MediaUploadsInput,
  status: 201,
  reply: MediaUploads,
  errors: ['file_too_large', 'plan_limit_reached'],
  run: ({ body }, caller) => uploads.createUploads(caller, body),
})

export const complete = operation({
  name: 'media.complete_upload',
  route: 'POST /media/uploads/{id}/complete',
  about:
    'Adds an uploaded file to the media library. Camera metadata is removed from ' +
    'pictures, and the location from recordings. Repeating the request returns the ' +
    'same file.',
  keywords: 'finish, photo, image, save',
  scope: 'sites:write',
  reach: 'project',
  effect: 'write',
  params: MediaParams,
  status: 201,
  reply: Media,
  errors: ['not_found', 'upload_not_received', 'plan_limit_reached'],
  run: ({ params }, caller) => uploads.complete(caller, params.id),
})

export const importFrom = operation({
  name: 'media.import',
  route: 'POST /media/import',
  about:
    `Imports a file of at most ${formatSize(limits.media_import_bytes_max)} from a public URL into ` +
    'the media library.',
  keywords: 'photo, picture, image, from a link, URL, grab, fetch, supplier, remote',
  consent: { about: 'Copies a file from an address on the internet into the media library.' },
  scope: 'sites:write',
  reach: 'project',
  effect: 'outside',
  body: ImportInput,
  status: 201,
  reply: Media,
  errors: ['file_too_large', 'plan_limit_reached'],
  run: ({ body }, caller) => importFile(caller, body),
})

export const list = operation({
  name: 'media.list',
  route: 'GET /media',
  about: 'Lists or searches the files of the media library, newest first.',
  keywords:
    'photos, pictures, images, logo, pdf, unused, where did it go, find file, gallery, folder, ' +
    'videos, uploaded, largest, find by name',
  scope: 'sites:read',
  reach: 'project',
  effect: 'read',
  query: MediaQuery,
  status: 200,
  reply: MediaList,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => media.list(caller, query),
})

export const find = operation({
  name: 'media.get',
  route: 'GET /media/{id}',
  about: 'One file of the media library, with its smaller copies and the sites that show it.',
  keywords:
    'photo, image details, where is it used, dimensions, resolution, file size, where does it ' +
    'appear',
  scope: 'sites:read',
  reach: 'project',
  effect: 'read',
  params: MediaParams,
  status: 200,
  reply: Media,
  errors: ['not_found'],
  run: ({ params }, caller) => media.show(caller, params.id),
})

export const change = operation({
  name: 'media.update',
  route: 'PATCH /media/{id}',
  about: 'Changes the name, title, description, tags, folder and focal point of a file.',
  keywords:
    'alt text, describe picture, photo, blind visitors, accessibility, image, rename, caption, ' +
    'focus, crop, label, put in folder, metadata, sort, screen readers',
  scope: 'sites:write',
  reach: 'project',
  effect: 'write',
  params: MediaParams,
  body: MediaChange,
  status: 200,
  reply: Media,
  errors: ['not_found'],
  run: ({ params, body }, caller) => media.change(caller, params.id, body),
})

export const remove = operation({
  name: 'media.delete',
  route: 'DELETE /media/{id}',
  about: 'Deletes a file. Refused while a live site shows it; used_on lists where.',
  keywords: 'photo, picture, image, remove, unused, erase, ugly, blurred, old, throw out',
  consent: { about: 'Deletes a file of the media library.' },
  scope: 'sites:write',
  reach: 'project',
  effect: 'write',
  params: MediaParams,
  status: 204,
  errors: ['not_found', 'conflict'],
  run: ({ params }, caller) => media.remove(caller, params.id),
})

export const batch = operation({
  name: 'media.batch',
  route: 'POST /media/batch',
  about:
    `Moves up to ${limits.media_batch_files_max} files to a folder, adds and removes tags, or ` +
    'deletes them. Files that a live site shows are not deleted; refused lists them.',
  keywords: 'bulk, many pictures, move, tag, folder, delete several, clean up, sort',
  consent: {
    about: 'Changes several files of the media library.',
    loses: async ({ body }) =>
      body.delete === true
        ? { about: `It deletes ${body.ids.length} files.`, instead: null }
        : null,
  },
  scope: 'sites:write',
  reach: 'project',
  effect: 'write',
  body: MediaBatchInput,
  status: 200,
  reply: MediaBatch,
  errors: [],
  run: ({ body }, caller) => changeMany(caller, body),
})

export const link = operation({
  name: 'media.link',
  route: 'GET /media/{id}/link',
  about:
    `Creates a link to a file, valid for ${limits.media_link_lifetime_s / 60} minutes, ` +
    'or to a smaller copy of a picture, created on request. Pictures on a site need no ' +
    'link: add ?width=640 to their address there, as in srcset="photo.jpg?width=640 ' +
    '640w, photo.jpg?width=1280 1280w".',
  keywords:
    'public URL, share, expires, thumbnail, resize, smaller version, variant, webp, download, ' +
    'image, stops working, temporary, pixels, scale, size, brochure, heavy',
  scope: 'sites:read',
  reach: 'project',
  effect: 'read',
  params: MediaParams,
  query: LinkQuery,
  status: 200,
  reply: Link,
  errors: ['not_found', 'invalid_parameter', 'conflict'],
  run: ({ params, query }, caller) => writeLink(caller, params.id, query),
})
