/** Operations of projects. */
import { operation } from '../../contract/operation.ts'
import { Company, CompanyInput } from './company/company-schema.ts'
import { Project } from './schema.ts'
import * as projects from './service.ts'

export const get = operation({
  name: 'project.get',
  route: 'GET /project',
  about:
    'The project of the key: its rails, verification levels and the limits of the key. ' +
    'A key limited to some sites and apps gets a short form.',
  keywords:
    'overview, setup complete, whoami, permissions, granted scopes, mode, test or live, ' +
    'restrictions, configuration, features, account state',
  scope: 'project:read',
  reach: 'selection',
  effect: 'read',
  status: 200,
  reply: Project,
  errors: ['not_found'],
  run: async (_input, caller) => projects.show(caller),
})

export const getCompany = operation({
  name: 'company.get',
  route: 'GET /project/company',
  about:
    'The company details of the project, or those of the person of a personal account. ' +
    'PUT replaces all of them, so read them before you change a part.',
  keywords:
    'business details, legal name, VAT id, address, registration number, KvK, chamber of ' +
    'commerce, registered name, billing details',
  scope: 'project:read',
  reach: 'project',
  effect: 'read',
  status: 200,
  reply: Company,
  errors: [],
  run: async (_input, caller) => projects.showCompany(caller),
})

export const putCompany = operation({
  name: 'company.put',
  route: 'PUT /project/company',
  about:
    'Replaces all company details. Omitted fields become null, except ' +
    'registrar_contact_name, which keeps its value. An EU VAT number is validated ' +
    'first; nothing is saved if it is invalid. Incomplete details are saved, with the ' +
    'missing fields listed in missing.',
  keywords:
    'we moved, new address, change business name, VAT number, validate VAT, registration ' +
    'number, street, legal form, trade name, company profile, chamber of commerce, billing ' +
    'details, limited company',
  scope: 'project:write',
  reach: 'project',
  effect: 'write',
  waits_for_others: true,
  body: CompanyInput,
  status: 200,
  reply: Company,
  errors: [
    'invalid_json',
    'validation_failed',
    'vat_number_invalid',
    'country_not_supported',
    'account_type_change_blocked',
  ],
  run: async ({ body }, caller) => projects.replaceCompany(caller, body),
})
