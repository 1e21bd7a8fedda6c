// Sets the inner HTML of an element, unless it has been set to the same and is still what that made of it.
const vuguSetHTML = (() => {
  const written = new WeakMap();
  return (element, html) => {
    const last = written.get(element);
    if (last?.html === html && last.made === element.innerHTML) return;
    element.innerHTML = html;
    written.set(element, { html, made: element.innerHTML });
  };
})();
