package io.hawser.ops.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.core.config.ConfigException;
import io.hawser.ops.observe.EventSettings;
import io.hawser.ops.observe.Json;
import io.hawser.ops.testkit.WebhookReceiver;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.event.EventType;
import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.RemoteStoreException;
import io.hawser.store.storage.StorageException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EventReceiversTest {
    @TempDir
    Path directory;

    private static EventSettings.Receivers webhook(URI url, Duration giveUp) {
        return new EventSettings.Receivers(
                url, WebhookReceiver.secretText(), giveUp, List.of(), Duration.ofMinutes(1), null);
    }

    private static EventSettings.Receivers on(Duration limit, String... rules) {
        return new EventSettings.Receivers(null, "", Duration.ofDays(1), List.of(rules), limit, null);
    }

    private EventReceivers start(EventSettings.Receivers settings, EventRig rig) {
        return EventReceivers.start(settings, "test", rig.log);
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(TestTimes.LIMIT)
                .pollInterval(Duration.ofMillis(10))
                .until(condition);
    }

    private static void deliver(EventRig rig, int from, int to) {
        for (int i = from; i <= to; i++) {
            rig.log.happened(EventRig.event(EventType.DELIVERED, i, "b", true, i));
        }
        rig.log.awaitDurable();
    }

    /** Waits until the receivers have begun, so that what follows is theirs. */
    private void awaitCursor(String name) {
        await(() -> Files.exists(directory.resolve("cursor-" + name)));
    }

    @Test
    void aSignatureIsTheOneOfTheStandardsExample() {
        WebhookSignature signature = WebhookSignature.parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        byte[] body = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
        assertThat(signature.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void aWebhookGetsEachEventSignedAndInOrder() throws Exception {
        try (WebhookReceiver receiver = new WebhookReceiver();
                EventRig rig = new EventRig(directory, EventRig.FOREVER);
                EventReceivers receivers = start(webhook(receiver.url(), Duration.ofDays(1)), rig)) {
            awaitCursor("webhook");
            deliver(rig, 1, 20);
            await(() -> receiver.received.size() >= 20);
            assertThat(receiver.wrong).isEmpty();
            assertThat(receiver.received)
                    .extracting(event -> event.at("/data/name").asText())
                    .startsWith("dir/file-1", "dir/file-2")
                    .hasSize(20)
                    .doesNotHaveDuplicates();
            JsonNode first = receiver.received.get(0);
            assertThat(first.get("specversion").asText()).isEqualTo("1.0");
            assertThat(first.get("type").asText()).isEqualTo("io.hawser.delivered");
            assertThat(first.get("subject").asText()).isEqualTo(EventRig.key(1).toString());
            assertThat(first.at("/data/sizeBytes").asLong()).isEqualTo(4096);
            assertThat(receivers.warnings()).isEmpty();
        }
    }

    static Stream<StorageException> passing() {
        return Stream.of(
                new RemoteStoreException("nobody answers"), new OutOfSpaceException("no space left on the device"));
    }

    /** As one in Kafka may be, or be cut while it is read; or the disk is full. */
    @ParameterizedTest
    @MethodSource("passing")
    void aJournalThatIsAwayForAWhileEndsNoDelivery(StorageException passing) throws Exception {
        AtomicBoolean away = new AtomicBoolean();
        UnaryOperator<EventJournal> overANetwork = journal -> (EventJournal) Proxy.newProxyInstance(
                EventJournal.class.getClassLoader(), new Class<?>[] {EventJournal.class}, (self, method, given) -> {
                    if (method.getName().equals("place") && away.get()) {
                        throw passing;
                    }
                    try {
                        return method.invoke(journal, given);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        try (WebhookReceiver receiver = new WebhookReceiver();
                EventRig rig = new EventRig(directory, EventRig.FOREVER, EventRig.SOURCE, EventRig.FAR, overANetwork);
                EventReceivers receivers = start(webhook(receiver.url(), Duration.ofDays(1)), rig)) {
            awaitCursor("webhook");
            away.set(true);
            deliver(rig, 1, 3);
            await(() -> receivers.warnings().toString().contains("events wait for webhook: " + passing.getMessage()));
            away.set(false);
            deliver(rig, 4, 5);
            await(() -> receiver.received.size() >= 5);
            await(() -> receivers.warnings().isEmpty());
        }
    }

    @Test
    void namesThatNoHeaderTakesStopNothing() throws Exception {
        try (WebhookReceiver receiver = new WebhookReceiver();
                EventRig rig = new EventRig(directory, EventRig.FOREVER);
                EventReceivers receivers = start(webhook(receiver.url(), Duration.ofDays(1)), rig)) {
            awaitCursor("webhook");
            rig.log.note(EventType.DOWNLOADED, "/\u00fc\r\nx: y\u0000", true, EventFacts.of(""));
            rig.log.happened(EventRig.event(EventType.DELIVERED, 1, "t", "\u00fc\r\n", "\u00e4 b", true, 1));
            await(() -> receiver.received.size() >= 2);
            assertThat(receiver.wrong).isEmpty();
            assertThat(receiver.received.get(0).get("subject").asText()).isEqualTo("/\u00fc\r\nx: y\u0000");
            assertThat(receiver.received.get(1).get("id").asText()).endsWith(".delivered.%C3%A4+b");
            assertThat(receivers.warnings()).isEmpty();
        }
    }

    @Test
    void aReceiverThatWasDownGetsAllAlsoAfterARestart() throws Exception {
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            receiver.status = 503;
            try (EventRig rig = new EventRig(directory, EventRig.FOREVER);
                    EventReceivers receivers = start(webhook(receiver.url(), Duration.ofDays(1)), rig)) {
                awaitCursor("webhook");
                deliver(rig, 1, 1100); // more than is kept in memory
                await(() -> !receivers.warnings().isEmpty());
                assertThat(receivers.warnings()).singleElement().satisfies(warning -> assertThat(warning.text())
                        .startsWith("events (webhook): ")
                        .contains("answered 503"));
            }
            receiver.status = 200;
            try (EventRig rig = new EventRig(directory, EventRig.FOREVER);
                    EventReceivers receivers = start(webhook(receiver.url(), Duration.ofDays(1)), rig)) {
                await(() -> receiver.received.size() >= 1100);
                await(() -> receivers.warnings().isEmpty());
            }
            List<String> expected = new ArrayList<>();
            for (int i = 1; i <= 1100; i++) {
                expected.add("dir/file-" + i);
            }
            assertThat(receiver.wrong).isEmpty();
            assertThat(receiver.received)
                    .extracting(event -> event.at("/data/name").asText())
                    .containsExactlyElementsOf(expected);
        }
    }

    @Test
    void aReceiverIsGivenUpUntilTheNextStart() throws Exception {
        URI nowhere;
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            nowhere = receiver.url();
        }
        try (EventRig rig = new EventRig(directory, EventRig.FOREVER);
                EventReceivers receivers = start(webhook(nowhere, Duration.ofMillis(1)), rig)) {
            awaitCursor("webhook");
            deliver(rig, 1, 1);
            await(() -> receivers.warnings().stream()
                    .anyMatch(warning -> warning.sentence().contains("no longer delivered")));
        }
    }

    private Path script(String text) throws Exception {
        Path script = directory.resolve("script");
        Files.writeString(script, "#!/bin/sh\n" + text);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return script;
    }

    @Test
    void aCommandGetsItsEventsAsJsonAndArguments() throws Exception {
        Path out = directory.resolve("out");
        Path script = script("line=$(cat)\necho \"$1 $2 $3 $line\" >> " + out + "\n");
        try (EventRig rig = new EventRig(directory, EventRig.FOREVER);
                EventReceivers receivers = start(on(Duration.ofMinutes(1), "failed,expired=" + script), rig)) {
            awaitCursor("command-0");
            deliver(rig, 1, 3);
            rig.log.happened(EventRig.event(EventType.FAILED, 4, "b", true, 4));
            await(() -> Files.exists(out) && out.toFile().length() > 0);
            String[] words = Files.readString(out).split(" ", 4);
            assertThat(words).startsWith("failed", "site-b", "dir/file-4");
            JsonNode json = Json.tree(words[3].getBytes(StandardCharsets.UTF_8));
            assertThat(json.at("/data/reason").asText()).isEqualTo("the disk is full");
            assertThat(receivers.warnings()).isEmpty();
        }
    }

    @Test
    void aCommandThatTakesTooLongIsKilled() throws Exception {
        Path out = directory.resolve("out");
        Path script = script("echo $$ >> " + out + "\nexec sleep 1000\n");
        try (EventRig rig = new EventRig(directory, EventRig.FOREVER);
                EventReceivers receivers = start(on(Duration.ofSeconds(1), "all=" + script), rig)) {
            awaitCursor("command-0");
            deliver(rig, 1, 1);
            await(() -> Files.exists(out) && Files.readAllLines(out).size() == 3); // as often as it is tried
            for (String pid : Files.readAllLines(out)) {
                await(() -> ProcessHandle.of(Long.parseLong(pid)).isEmpty());
            }
            await(() -> !receivers.warnings().isEmpty());
            assertThat(receivers.warnings().get(0).sentence()).endsWith("is given up: it took longer than 1 s");
        }
    }

    @Test
    void whyACommandFailsIsShownUntilARunSucceeds() throws Exception {
        Path runs = directory.resolve("runs");
        Path mended = directory.resolve("mended");
        Path script = script("date +%s%3N >> " + runs + "\n[ -e " + mended + " ] && exit 0\n"
                + "head -c 200000 /dev/zero >&2\n" // more than a pipe holds
                + "printf '\\nfirst\\nno \\033 route\\n\\n' >&2\nexit 3\n");
        try (EventRig rig = new EventRig(directory, EventRig.FOREVER);
                EventReceivers receivers = start(on(Duration.ofMinutes(1), "failed=" + script), rig)) {
            awaitCursor("command-0");
            rig.log.happened(EventRig.event(EventType.FAILED, 4, "b", true, 4));
            await(() -> !receivers.warnings().isEmpty());
            assertThat(receivers.warnings().get(0).text())
                    .isEqualTo("events (command-0): " + script + " failed 3 times, and event 1 (" + EventRig.key(4)
                            + ".failed.b) is given up: exit status 3: no ? route");
            List<String> times = Files.readAllLines(runs);
            assertThat(times).hasSize(3);
            long first = Long.parseLong(times.get(1)) - Long.parseLong(times.get(0));
            long second = Long.parseLong(times.get(2)) - Long.parseLong(times.get(1));
            assertThat(first).isGreaterThanOrEqualTo(990);
            assertThat(second).isGreaterThanOrEqualTo(3990);

            Files.createFile(mended);
            rig.log.happened(EventRig.event(EventType.FAILED, 5, "b", true, 5));
            await(() -> receivers.warnings().isEmpty());
        }
    }

    @Test
    void aCommandThatLeavesAProcessBehindEndsAtOnce() throws Exception {
        Path left = directory.resolve("left");
        Path script = script("sleep 1000 &\necho $! >> " + left + "\necho busy >&2\nexit 1\n");
        try (EventRig rig = new EventRig(directory, EventRig.FOREVER);
                EventReceivers receivers = start(on(Duration.ofMinutes(10), "all=" + script), rig)) {
            awaitCursor("command-0");
            deliver(rig, 1, 1);
            await(() -> !receivers.warnings().isEmpty());
            assertThat(receivers.warnings().get(0).sentence()).endsWith("exit status 1: busy");
        } finally {
            for (String pid : Files.readAllLines(left)) {
                ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    @Test
    void aCommandThatCannotBeRunIsRefused() throws Exception {
        Path script = script("exit 0\n");
        EventReceivers.check(on(Duration.ofDays(1), "failed=" + script + " --urgent", "all=true"));
        assertRefused(
                "failed=" + directory.resolve("none"),
                "--on: the program " + directory.resolve("none") + " is not found");
        assertRefused("failed=hawser-no-such-program", "--on: the program hawser-no-such-program is not found in PATH");
        assertRefused("failed=" + directory, "--on: the program " + directory + " is not found");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rw-------"));
        assertRefused(
                "failed=" + script, "--on: the node's account may not run " + script + "; see its mode (chmod +x)");
    }

    private static void assertRefused(String rule, String message) {
        assertThatThrownBy(() -> EventReceivers.check(on(Duration.ofDays(1), rule)))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message);
    }

    @Test
    void aWebhookThatIsGoneIsGivenUpAtOnce() throws Exception {
        try (WebhookReceiver receiver = new WebhookReceiver();
                EventRig rig = new EventRig(directory, EventRig.FOREVER);
                EventReceivers receivers = start(webhook(receiver.url(), Duration.ofDays(1)), rig)) {
            awaitCursor("webhook");
            receiver.status = 410;
            deliver(rig, 1, 1);
            await(() -> receivers.warnings().stream().anyMatch(warning -> warning.sentence()
                    .startsWith("events are no longer delivered to webhook (127.0.0.1 answered 410: it wants no"
                            + " more events)")));
            assertThat(receiver.askedMillis).hasSize(1);
        }
    }

    @Test
    void aWebhookIsLeftAloneAsLongAsItAsks() throws Exception {
        for (int status : List.of(429, 503)) {
            Path own = directory.resolve("status-" + status);
            try (WebhookReceiver receiver = new WebhookReceiver();
                    EventRig rig = new EventRig(own, EventRig.FOREVER);
                    EventReceivers receivers = start(webhook(receiver.url(), Duration.ofDays(1)), rig)) {
                await(() -> Files.exists(own.resolve("cursor-webhook")));
                receiver.status = status;
                receiver.retryAfter = "3";
                deliver(rig, 1, 1);
                await(() -> !receiver.askedMillis.isEmpty());
                receiver.status = 204;
                await(() -> receiver.received.size() == 1);
                assertThat(receiver.askedMillis.get(1) - receiver.askedMillis.get(0))
                        .isGreaterThanOrEqualTo(2990);
                await(() -> receivers.warnings().isEmpty());
            }
        }
    }

    @Test
    void noReceiverIsLeftAloneForMoreThanFiveMinutes() {
        assertThat(EventDelivery.waitMillis(0, Duration.ZERO)).isBetween(250L, 500L);
        assertThat(EventDelivery.waitMillis(0, Duration.ofSeconds(7))).isEqualTo(7_000);
        assertThat(EventDelivery.waitMillis(0, Duration.ofDays(1))).isEqualTo(300_000);
        assertThat(EventDelivery.waitMillis(10_000_000, Duration.ofSeconds(7))).isBetween(150_000L, 300_000L);
    }

    @Test
    void retryAfterIsSecondsOrADate() {
        Instant now = Instant.parse("2026-01-31T12:00:00Z");
        assertThat(Webhook.retryAfter("120", now)).isEqualTo(Duration.ofMinutes(2));
        assertThat(Webhook.retryAfter("Sat, 31 Jan 2026 12:00:30 GMT", now)).isEqualTo(Duration.ofSeconds(30));
        assertThat(Webhook.retryAfter("Sat, 31 Jan 2026 11:00:00 GMT", now)).isZero();
        assertThat(Webhook.retryAfter("-1", now)).isZero();
        assertThat(Webhook.retryAfter("99999999999999999999", now)).isZero();
    }

    @Test
    void eventsThatAloneAreRefusedAreGivenUp() throws Exception {
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);
        try (WebhookReceiver receiver = new WebhookReceiver();
                EventRig rig = new EventRig(directory, EventRig.FOREVER)) {
            Webhook webhook = new Webhook(
                    receiver.url(), WebhookSignature.parse(WebhookReceiver.secretText()), "test", rig.log, nanos::get);
            deliver(rig, 1, 5);
            List<Event> events = rig.log.read(1, 5);
            receiver.refused =
                    event -> List.of(2, 3).contains(event.at("/data/sequence").asInt());
            assertThat(webhook.deliver(events)).isEqualTo(1);
            assertThat(webhook.problem()).contains("127.0.0.1 answered 413");
            List<Event> rest = events.subList(1, 5);
            nanos.addAndGet(Duration.ofHours(2).toNanos());
            for (int tries = 2; tries < 10; tries++) {
                assertThat(webhook.deliver(rest)).isZero();
            }
            assertThat(receiver.received).hasSize(1);
            for (int tries = 1; tries < 10; tries++) { // of the second that is refused
                assertThat(webhook.deliver(rest)).isZero();
            }
            nanos.addAndGet(Duration.ofHours(2).toNanos() - 1);
            assertThat(webhook.deliver(rest)).isZero();
            assertThat(receiver.received).hasSize(1);
            nanos.incrementAndGet();
            assertThat(webhook.deliver(rest)).isEqualTo(4);

            assertThat(webhook.problem()).isEmpty();
            assertThat(receiver.received)
                    .extracting(event -> event.at("/data/sequence").asInt())
                    .containsExactly(1, 4, 5);
            rig.log.awaitDurable();
            assertThat(rig.log.read(6, 10))
                    .extracting(event -> event.type() + " " + event.facts().reason())
                    .containsExactly(
                            "EVENTS_EXPIRED webhook never had event 2 (" + EventRig.key(2)
                                    + ".delivered.b): 127.0.0.1 refused it for 2 h and took the next",
                            "EVENTS_EXPIRED webhook never had event 3 (" + EventRig.key(3)
                                    + ".delivered.b): 127.0.0.1 refused it for 2 h and took the next");
        }
    }

    @Test
    void noEventIsGivenUpIfItMayNotBeTheCause() throws Exception {
        AtomicLong nanos = new AtomicLong();
        try (WebhookReceiver receiver = new WebhookReceiver();
                EventRig rig = new EventRig(directory, EventRig.FOREVER)) {
            Webhook webhook = new Webhook(
                    receiver.url(), WebhookSignature.parse(WebhookReceiver.secretText()), "test", rig.log, nanos::get);
            deliver(rig, 1, 3);
            List<Event> events = rig.log.read(1, 3);
            receiver.status = 400; // all are refused, as with a wrong secret
            takesNone(webhook, events, nanos);
            receiver.status = 204;
            receiver.refused = event -> event.at("/data/sequence").asInt() == 1;
            for (int status : List.of(401, 403, 404, 408, 410, 429, 500)) {
                receiver.refusal = status;
                takesNone(webhook, events, nanos);
            }
            receiver.refused = event -> false;
            assertThat(webhook.deliver(events)).isEqualTo(3);
            assertThat(receiver.received).hasSize(3);
            assertThat(rig.log.lastSequence()).isEqualTo(3);
        }
    }

    private static void takesNone(Webhook webhook, List<Event> events, AtomicLong nanos) throws InterruptedException {
        for (int tries = 0; tries < 15; tries++) {
            nanos.addAndGet(Duration.ofHours(1).toNanos());
            assertThat(webhook.deliver(events)).isZero();
        }
    }

    @Test
    void aReceiverIsToldHowManyEventsItMissed() throws Exception {
        EventSettings day = new EventSettings(Duration.ofDays(1), 1_000_000, 1L << 30, EventSettings.Receivers.NONE);
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            receiver.status = 503;
            try (EventRig rig = new EventRig(directory, day);
                    EventReceivers receivers = start(webhook(receiver.url(), Duration.ofDays(1)), rig)) {
                awaitCursor("webhook");
                deliver(rig, 1, 10);
                await(() -> !receivers.warnings().isEmpty());
            }
            try (EventRig rig = new EventRig(directory, day)) { // a segment of its own
                deliver(rig, 11, 13);
                rig.log.expireNow();
                assertThat(rig.log.firstSequence()).isEqualTo(11);
                try (EventReceivers receivers = start(webhook(receiver.url(), Duration.ofDays(1)), rig)) {
                    await(() -> rig.log.lastSequence() == 14); // told of once
                    await(() -> receiver.askedMillis.size() > 5);
                    receiver.status = 204;
                    await(() -> receiver.received.size() >= 4);
                    await(() -> receivers.warnings().isEmpty());
                    assertThat(rig.log.lastSequence()).isEqualTo(14);
                }
            }
            assertThat(receiver.received)
                    .extracting(event -> event.at("/data/sequence").asInt())
                    .containsExactly(11, 12, 13, 14);
            JsonNode told = receiver.received.get(3);
            assertThat(told.get("type").asText()).isEqualTo("io.hawser.events-expired");
            assertThat(told.get("subject").asText()).isEqualTo("webhook");
            assertThat(told.at("/data/reason").asText())
                    .isEqualTo("10 events were deleted before webhook had them: too old or too many"
                            + " (--keep-history, --events-quota)");
        }
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThatThrownBy(() -> EventReceivers.check(webhook(URI.create("ftp://x/"), Duration.ofDays(1))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--webhook is an address");
        assertThatThrownBy(() -> EventReceivers.check(on(Duration.ofDays(1), "nothing=/bin/true")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("'nothing' is no event");
        assertThatThrownBy(() -> EventReceivers.check(on(Duration.ofDays(1), "failed")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--on is EVENT=COMMAND");
        assertThatThrownBy(() -> WebhookSignature.parse("whsec_c2hvcnQ="))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("24 to 64 bytes");
    }
}
