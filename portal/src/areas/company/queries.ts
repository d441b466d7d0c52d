/** Requests about the company of a project and its verification. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'

export type Company = Schemas['Company']
export type CompanyInput = Schemas['CompanyPutBody']

export function companyKey({ project_id, mode }: Scope) {
  return ['company', project_id, mode] as const
}

export function companyQuery(scope: Scope) {
  const params = inProject(scope)
  return queryOptions({
    queryKey: [...companyKey(scope), 'details'],
    queryFn: ({ signal }) =>
      read<Company>(api.GET('/projects/{project_id}/project/company', { params, signal })),
  })
}

export function saveCompany(scope: Scope, body: CompanyInput) {
  const given = { params: inProject(scope), body }
  return read<Company>(api.PUT('/projects/{project_id}/project/company', given))
}
