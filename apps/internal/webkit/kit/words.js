// The words that scripts write, in the languages of pages.
const swedish = {
  "As of": "Från",
  "Cancel": "Avbryt",
  "Continue": "Fortsätt",
  "Copied": "Kopierat",
  "There is no connection. Nothing was sent; what you typed is still here.": "Det finns ingen anslutning. Inget skickades; det du skrev finns kvar.",
  "This part could not be updated. What you see may be old.": "Den här delen kunde inte uppdateras. Det du ser kan vara gammalt.",
  "Reload the page": "Ladda om sidan",
  "That did not work. Try again": "Det gick inte. Försök igen",
};

/** word gives an English text in the language of the page. */
export function word(english) {
  return document.documentElement.lang === "sv" ? swedish[english] ?? english : english;
}
