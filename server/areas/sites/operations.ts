/** The operations of sites. */
import { operation } from '../../contract/operation.ts'
import { PageQuery } from '../../contract/pages.ts'
import { limits } from '../../contract/limits.ts'
import * as deploys from './deploy.ts'
import { DeployedSite, Site, SiteDeploy, SiteId, SiteInput, SiteList } from './schema.ts'
import * as sites from './sites.ts'

export const create = operation({
  name: 'sites.create',
  route: 'POST /sites',
  about:
    'Publishes a new site: files in, address out. Files are sent in the body, or named by sha256 ' +
    'and bytes once they were uploaded.',
  scope: 'sites:write',
  reach: 'project',
  effect: 'outside',
  body: SiteInput,
  body_bytes_max: limits.site_body_bytes_max,
  status: 201,
  reply: DeployedSite,
  errors: [
    'slug_taken',
    'slug_reserved',
    'site_limit_reached',
    'site_too_large',
    'deploy_limit_reached',
    'upload_not_received',
    'phone_verification_required',
    'plan_limit_reached',
    'conflict',
  ],
  run: ({ body }, caller) => deploys.create(caller, body),
})

export const publish = operation({
  name: 'sites.publish',
  route: 'PUT /sites/{id}',
  about:
    'Publishes a new version of a site, whole or with keep_others over the live one. Visitors ' +
    'see the old version until all of the new one is there.',
  scope: 'sites:write',
  reach: 'selection',
  effect: 'outside',
  params: SiteId,
  body: SiteDeploy,
  body_bytes_max: limits.site_body_bytes_max,
  status: 200,
  reply: DeployedSite,
  versioned: true,
  errors: [
    'not_found',
    'version_conflict',
    'slug_taken',
    'slug_reserved',
    'site_too_large',
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
  versioned: true,
  errors: ['not_found'],
  run: ({ params }, caller) => sites.show(caller, params.id),
})
