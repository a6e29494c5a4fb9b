/**
 * The vocabulary of the load-test catalog. The frequencies are known, so that tests can choose the selectivity of a
 * search: an adjective, a material or a noun occurs in 1 of 40 products, a combination of all three in 1 of 64,000, and
 * a model name (three syllables) in 1 of 13,824.
 */
export const ADJECTIVES = splitWords(`
  amber ample ancient arctic bold bright broad calm candid classic clever coastal compact cosmic crisp daily distant
  eager early fabled gentle gleaming golden hidden humble lively lunar mellow modern noble nordic quiet rapid royal
  rustic silent simple solar sturdy urban
`);

export const MATERIALS = splitWords(`
  acrylic alder aluminum ash bamboo basalt beech brass bronze canvas cedar ceramic cherry copper cork cotton crystal denim
  elm enamel felt flannel flax glass granite hemp iron jute leather linen maple marble oak porcelain silk slate steel
  velvet walnut wool
`);

export const NOUNS = splitWords(`
  apron backpack basin basket bench blanket bookend bottle bowl bracelet carafe chair clock coaster cushion desk doormat
  drawer easel frame goblet hammock kettle lamp lantern mirror mug notebook ottoman pillow pitcher planter platter rug
  satchel shelf stool tray vase wallet
`);

export const SYLLABLES = splitWords(`
  ba bel cor dan del far gal han jor kal kor lum mar mor nal or per quin ral sol tan ur ven zar
`);

export const COLORS = splitWords('black blue brown coral gray green indigo olive orange purple red yellow');

export const SIZES = splitWords('small medium large');

/** One taxon per word. */
export const CATEGORIES = splitWords(`
  bath bedding cellar decor dining fitness garage garden hallway kids kitchen laundry lighting music nursery office patio
  pets storage travel
`);

export const MAKERS = splitWords(`
  aldermoor brightholm castelan dunmere elverton fairlough glenavon hartwick inverbay jessamine kestrelle larkspur
  mossgate northam oakridge pemberly quillon ravenhurst silverbrook thornfield
`);

function splitWords(text: string): string[] {
  return text.trim().split(/\s+/);
}
