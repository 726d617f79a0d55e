// A subscription to push messages: a browser without the Internet gets none.
PushManager.prototype.getSubscription = async () => ({ unsubscribe: () => caches.open("unsubscribed") });
