/** The operations of sites. */
import { operation } from '../../contract/operation.ts'
import { PageQuery } from '../../contract/pages.ts'
import { limits } from '../../contract/limits.ts'
import * as deploys from './deploy/deploy.ts'
import { change as changeSite, remove as removeSite } from './change.ts'
import { homePageLoss } from './deploy/home-page.ts'
import {
  DeployedSite,
  Site,
  SiteChange,
  SiteDeploy,
  SiteId,
  SiteInput,
  SiteList,
} from './schema.ts'
import * as sites from './sites.ts'
import { Uploads, UploadsInput } from './deploy/upload-schema.ts'
import * as uploads from './deploy/uploads.ts'
import {
  RollbackInput,
  SiteFile,
  SiteFileList,
  SiteFileParams,
  VersionList,
  VersionQuery,
} from './versions/version-schema.ts'
import * as siteVersions from './versions/versions.ts'

export const create = operation({
  name: 'sites.create',
  route: 'POST /sites',
  about:
    'Publishes a new site: files in, address out. Files are sent in the body, or named by sha256 ' +
    'and bytes once uploaded.',
  scope: 'sites:write',
  reach: 'project',
  effect: 'write',
  body: SiteInput,
  body_rules: { bytes_max: limits.site_body_bytes_max },
  status: 201,
  reply: DeployedSite,
  errors: [
    'slug_taken',
    'slug_reserved',
    'site_limit_reached',
    'site_too_large',
    'site_blocked',
    'deploy_limit_reached',
    'upload_not_received',
    'phone_verification_required',
    'plan_limit_reached',
    'conflict',
  ],
  run: ({ body }, caller) => deploys.create(caller, body),
})

export const createUploads = operation({
  name: 'sites.create_uploads',
  route: 'POST /sites/uploads',
  about:
    'Upload links for files of a site: their bytes are sent straight there, and a deploy names ' +
    'them by sha256 and bytes. What the project has already needs no sending.',
  scope: 'sites:write',
  reach: 'selection',
  effect: 'write',
  body: UploadsInput,
  status: 201,
  reply: Uploads,
  errors: ['site_too_large', 'plan_limit_reached'],
  run: ({ body }, caller) => uploads.createUploads(caller, body),
})

export const publish = operation({
  name: 'sites.publish',
  route: 'PUT /sites/{id}',
  about:
    'Publishes a new version of a site, whole or with keep_others over the live one. Visitors ' +
    'see the old version until all of the new one is there.',
  consent: {
    about: 'Publishes a new version of a site, which visitors see at once.',
    loses: ({ params, body }, caller) => homePageLoss(caller, params.id, body),
  },
  scope: 'sites:write',
  reach: 'selection',
  effect: 'write',
  params: SiteId,
  body: SiteDeploy,
  body_rules: { bytes_max: limits.site_body_bytes_max },
  status: 200,
  reply: DeployedSite,
  headers: { etag: 'revision' },
  errors: [
    'not_found',
    'version_conflict',
    'slug_taken',
    'slug_reserved',
    'site_too_large',
    'site_blocked',
    'site_offline',
    'deploy_limit_reached',
    'upload_not_received',
    'phone_verification_required',
    'plan_limit_reached',
    'conflict',
    'invalid_parameter',
  ],
  run: ({ params, body, if_match }, caller) =>
    deploys.deploy(caller, { id: params.id, input: body, if_match }),
})

export const list = operation({
  name: 'sites.list',
  route: 'GET /sites',
  about: 'The sites of the project, newest first. A limited key sees those it may use.',
  scope: 'sites:read',
  reach: 'selection',
  effect: 'read',
  query: PageQuery,
  status: 200,
  reply: SiteList,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => sites.list(caller, query),
})

export const find = operation({
  name: 'sites.get',
  route: 'GET /sites/{id}',
  about: 'One site: its addresses, its live version, and who may see it.',
  scope: 'sites:read',
  reach: 'selection',
  effect: 'read',
  params: SiteId,
  status: 200,
  reply: Site,
  headers: { etag: 'revision' },
  errors: ['not_found'],
  run: ({ params }, caller) => sites.show(caller, params.id),
})

export const change = operation({
  name: 'sites.update',
  route: 'PATCH /sites/{id}',
  about:
    'Changes the title, the address or who may see a site, without a new version. An unlisted ' +
    'site gets a new secret address each time it becomes one.',
  scope: 'sites:write',
  reach: 'selection',
  effect: 'write',
  params: SiteId,
  body: SiteChange,
  status: 200,
  reply: Site,
  headers: { etag: 'revision' },
  errors: [
    'not_found',
    'version_conflict',
    'slug_taken',
    'slug_reserved',
    'site_blocked',
    'site_offline',
    'phone_verification_required',
    'conflict',
    'invalid_parameter',
  ],
  run: ({ params, body, if_match }, caller) =>
    changeSite(caller, { id: params.id, input: body, if_match }),
})

export const remove = operation({
  name: 'sites.delete',
  route: 'DELETE /sites/{id}',
  about:
    'Deletes a site with all its versions. Its address is free for anybody from then on; what its ' +
    'forms collected stays.',
  consent: {
    about:
      'Deletes a site with all its versions. Its address is free for anybody from then on; what ' +
      'its forms collected stays.',
  },
  scope: 'sites:write',
  reach: 'selection',
  effect: 'write',
  params: SiteId,
  status: 204,
  errors: ['not_found', 'site_offline'],
  run: ({ params }, caller) => removeSite(caller, params.id),
})

export const versions = operation({
  name: 'sites.versions',
  route: 'GET /sites/{id}/versions',
  about:
    'The versions of a site that are kept, newest first, each with an address of its own where it ' +
    'can be seen.',
  scope: 'sites:read',
  reach: 'selection',
  effect: 'read',
  params: SiteId,
  status: 200,
  reply: VersionList,
  errors: ['not_found'],
  run: ({ params }, caller) => siteVersions.list(caller, params.id),
})

export const rollback = operation({
  name: 'sites.rollback',
  route: 'POST /sites/{id}/rollback',
  about:
    'Shows visitors an earlier version again, at once. Later versions are kept, and a rollback ' +
    'counts as no deploy.',
  scope: 'sites:write',
  reach: 'selection',
  effect: 'write',
  params: SiteId,
  body: RollbackInput,
  status: 200,
  reply: Site,
  errors: ['not_found', 'conflict', 'site_blocked', 'site_offline', 'phone_verification_required'],
  run: ({ params, body }, caller) => siteVersions.rollback(caller, params.id, body.version),
})

export const files = operation({
  name: 'sites.files',
  route: 'GET /sites/{id}/files',
  about: 'The files of the live version of a site, or of the one in version, without their bytes.',
  scope: 'sites:read',
  reach: 'selection',
  effect: 'read',
  params: SiteId,
  query: VersionQuery,
  status: 200,
  reply: SiteFileList,
  errors: ['not_found', 'invalid_parameter'],
  run: ({ params, query }, caller) => siteVersions.listFiles(caller, params.id, query.version),
})

export const file = operation({
  name: 'sites.file',
  route: 'GET /sites/{id}/files/{path}',
  about:
    'One file of a site as it was deployed: text as utf8, anything else as base64. Slashes within ' +
    'its path are sent as %2F.',
  scope: 'sites:read',
  reach: 'selection',
  effect: 'read',
  params: SiteFileParams,
  query: VersionQuery,
  status: 200,
  reply: SiteFile,
  errors: ['not_found', 'invalid_parameter'],
  run: ({ params, query }, caller) => siteVersions.showFile(caller, params, query.version),
})
