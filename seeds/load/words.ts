/**
 * The vocabulary of the load-test catalogue. Frequencies are known, so that a search can be as selective as a test
 * needs: an adjective, a material or a noun is in 1 of 40 products, one of each together in 1 of 64,000, and a model name
 * (three syllables) in 1 of 13,824.
 */
export const ADJECTIVES = words(`
  amber ample ancient arctic bold bright broad calm candid classic clever coastal compact cosmic crisp daily distant
  eager early fabled gentle gleaming golden hidden humble lively lunar mellow modern noble nordic quiet rapid royal
  rustic silent simple solar sturdy urban
`);

export const MATERIALS = words(`
  acrylic alder aluminum ash bamboo basalt beech brass bronze canvas cedar ceramic cherry copper cork cotton crystal denim
  elm enamel felt flannel flax glass granite hemp iron jute leather linen maple marble oak porcelain silk slate steel
  velvet walnut wool
`);

export const NOUNS = words(`
  apron backpack basin basket bench blanket bookend bottle bowl bracelet carafe chair clock coaster cushion desk doormat
  drawer easel frame goblet hammock kettle lamp lantern mirror mug notebook ottoman pillow pitcher planter platter rug
  satchel shelf stool tray vase wallet
`);

export const SYLLABLES = words(`
  ba bel cor dan del far gal han jor kal kor lum mar mor nal or per quin ral sol tan ur ven zar
`);

export const COLORS = words('black blue brown coral gray green indigo olive orange purple red yellow');

export const SIZES = words('small medium large');

/** Twenty taxons of each kind. */
export const CATEGORIES = words(`
  bath bedding cellar decor dining fitness garage garden hallway kids kitchen laundry lighting music nursery office patio
  pets storage travel
`);

export const MAKERS = words(`
  aldermoor brightholm castelan dunmere elverton fairlough glenavon hartwick inverbay jessamine kestrelle larkspur
  mossgate northam oakridge pemberly quillon ravenhurst silverbrook thornfield
`);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
