// Package notify tells people about events: in an inbox on the pages, by push messages to their
// devices (web push, Firebase Cloud Messaging), and by a mail that sums up a day or a week. People
// choose kinds to mute, quiet hours in their time zone, and how often the mail comes.
//
// A notification is written in the transaction of its event, exactly once for each event and
// recipient. Push messages and digests are jobs of the system's queue, so that a crash loses none;
// a push message that is repeated after a crash replaces the first one on the device.
//
// Package notify decides neither whom an event concerns nor what the notification says. The
// systems' domains call it; their pages show the inbox and the settings.
package notify
