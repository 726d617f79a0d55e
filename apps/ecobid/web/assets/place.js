// Asks the device for its position when the visitor wants that, and sends it.
const form = document.querySelector("[data-locate]");
if (form && "geolocation" in navigator) {
  form.hidden = false;
  const status = form.querySelector("[data-locate-status]");
  form.addEventListener("submit", (event) => {
    if (form.elements.lat.value) return;
    event.preventDefault();
    status.textContent = "Asking your device…";
    navigator.geolocation.getCurrentPosition(
      (position) => {
        form.elements.lat.value = position.coords.latitude;
        form.elements.lon.value = position.coords.longitude;
        form.submit();
      },
      () => { status.textContent = "The device did not tell its position. Choose a city instead."; },
      { maximumAge: 600000, timeout: 15000 },
    );
  });
}
