/** The name of a card brand as its owner writes it: `visa` becomes `Visa`. */
const names: Readonly<Record<string, string>> = { amex: 'American Express', jcb: 'JCB' }

export function nameBrand(brand: string): string {
  return names[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1)
}
