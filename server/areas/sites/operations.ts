/** The operations of sites. */
import { operation } from '../../contract/operation.ts'
import { PageQuery } from '../../contract/schema/pages.ts'
import { limits } from '../../contract/limits.ts'
import * as deploys from './deploy/deploy.ts'
import { change as changeSite, remove as removeSite } from './change/change.ts'
import { findHomePageLoss } from './deploy/home-page.ts'
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
import { SiteUploads, SiteUploadsInput } from './deploy/upload-schema.ts'
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
    'Publishes a new site and returns its address. Send files in the body, or upload ' +
    'them first and reference them by sha256 and bytes.',
  keywords:
    'website, homepage, web page, put online, new, static, HTML, host, upload, deploy, launch, ' +
    'landing page, small website, simple site, shop',
  scope: 'sites:write',
  reach: 'project',
  publishes: true,
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
    'Creates upload links for files of a site. Send the bytes to the links; a deploy ' +
    'then references the files by sha256 and bytes. Files the project already has need ' +
    'no upload.',
  keywords: 'website files, presigned, HTML bundle, zip, large',
  scope: 'sites:write',
  reach: 'selection',
  effect: 'write',
  body: SiteUploadsInput,
  status: 201,
  reply: SiteUploads,
  errors: ['site_too_large', 'plan_limit_reached'],
  run: ({ body }, caller) => uploads.createUploads(caller, body),
})

export const publish = operation({
  name: 'sites.publish',
  route: 'PUT /sites/{id}',
  about:
    'Publishes a new version of a site. It replaces all files, or with keep_others ' +
    'only the given ones. Visitors see the old version until the new one is complete.',
  keywords:
    'website, homepage, page, deploy, edit text, change a sentence, redirect, old link, put ' +
    'live, take off, remove page, offline, add picture, contact form on page, update, zip, ' +
    'build, draft, menu, prices, typo, banner, fix text, swap picture, bigger, redeploy, team ' +
    'page, throw a page off the site',
  consent: {
    about: 'Publishes a new version of a site, visible to visitors at once.',
    loses: ({ params, body }, caller) => findHomePageLoss(caller, params.id, body),
  },
  scope: 'sites:write',
  reach: 'selection',
  publishes: true,
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
  about:
    'Lists the sites of the project, newest first. A limited key sees only the sites it ' +
    'may use.',
  keywords: 'websites, homepages, pages, addresses, all my pages, hosted',
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
  about: 'One site with its addresses, live version and visibility.',
  keywords:
    'website, homepage, URL, address, preview, is it live, online, link to my page, visible',
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
    'Changes the title, slug or visibility of a site without a new version. A site ' +
    'gets a new secret address each time it becomes unlisted.',
  keywords:
    'password, hide, Google, noindex, search engines, take offline, private, lock, staging, ' +
    'rename, address, publish draft, renovation, unlisted, people with the link, protect, ' +
    'visible, nobody sees it, behind a password, show again, take off the air',
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
    'Deletes a site with all its versions. Its address becomes available to others; ' +
    'documents its forms collected are kept.',
  keywords:
    'website, take down, permanently, remove page completely, season over, destroy, old ' +
    'campaign, close the site, from the internet',
  consent: {
    about:
      'Deletes a site with all its versions. Its address becomes available to others; ' +
      'documents its forms collected are kept.',
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
  about: 'Lists the kept versions of a site, newest first. Each has its own preview address.',
  keywords:
    'website, deployments, deploys, history, previous, preview before public, unpublished, ' +
    'timestamps, changed between, still showing the old one, peek before customers see it, ' +
    'draft, last published, earlier, compare, I changed something',
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
    'Makes an earlier version live again, at once. Later versions are kept. A rollback ' +
    'does not count as a deploy.',
  keywords:
    'website, homepage, go back, previous version, yesterday, last week, revert, undo deploy, ' +
    'broken, restore, looks terrible, how it was, undo, mistake, oops, roll back, put back, ' +
    'was still right',
  scope: 'sites:write',
  reach: 'selection',
  publishes: true,
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
  about:
    'Lists the files of the live version of a site, or of the given version, without ' +
    'their content.',
  keywords:
    'website, pages, tree, assets, what is deployed, pictures, redirects, manifest, directory',
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
    'Gets one file of a site as deployed: text as utf8, other content as base64. ' +
    'Encode slashes in the path as %2F.',
  keywords:
    'page source, HTML, read what a page says, 404, page that does not exist, download, ' +
    'contact page, CSS, stylesheet, older version of a page',
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
