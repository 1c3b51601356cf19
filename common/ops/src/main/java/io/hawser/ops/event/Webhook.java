package io.hawser.ops.event;

import io.hawser.ops.observe.Json;
import io.hawser.store.event.EventType;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends each event by POST as CloudEvents 1.0, signed as Standard Webhooks says if there is a secret, one after the other. An answer of 2xx
 * within {@value #ANSWER_SECONDS} s is success; redirects are not followed. After 410 it wants no more.
 *
 * <p>A receiver may refuse one event for ever, such as one that is too long for it. After {@value #REFUSED_TRIES} tries over {@value
 * #REFUSED_HOURS} h the next event is tried too. Once the receiver takes it, the refused one alone is given up, with an event that says so.
 * While it refuses all events, none is given up.
 *
 * <p>Thread: {@code hawser-events-to-webhook}.
 */
final class Webhook implements EventReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(Webhook.class);
    private static final String CONTENT_TYPE = "application/cloudevents+json; charset=utf-8";
    private static final int CONNECT_SECONDS = 10;
    private static final int ANSWER_SECONDS = 20;
    private static final int GOOD = 2;
    private static final int HUNDRED = 100;
    private static final int GONE = 410;
    private static final int REFUSED = 4;
    /** What does not say that the event is the cause. */
    private static final Set<Integer> NOT_THE_EVENT = Set.of(401, 403, 404, 408, GONE, 429);
    /** Answers that may say when to try again. */
    private static final Set<Integer> LATER = Set.of(429, 503);

    private static final int REFUSED_TRIES = 10;
    private static final int REFUSED_HOURS = 2;

    private final URI url;
    private final @Nullable WebhookSignature signature;
    private final String node;
    private final EventLog log;
    private final LongSupplier nanos;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(CONNECT_SECONDS))
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    private volatile String problem = "";
    private volatile Duration pause = Duration.ZERO;
    private volatile boolean gone;
    /** By the event's number; owned by the thread that delivers. */
    private final Map<Long, Refusal> refusals = new HashMap<>();

    /** How often an event was refused, and since when. */
    private record Refusal(int tries, long sinceNanos) {}

    /**
     * @param node the node's name
     * @param nanos a steady clock
     */
    Webhook(URI url, @Nullable WebhookSignature signature, String node, EventLog log, LongSupplier nanos) {
        this.url = url;
        this.signature = signature;
        this.node = node;
        this.log = log;
        this.nanos = nanos;
    }

    @Override
    public String name() {
        return "webhook";
    }

    @Override
    public boolean wants(Event event) {
        return true;
    }

    @Override
    public int deliver(List<Event> events) throws InterruptedException {
        int done = 0;
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            int status = post(event);
            if (status / HUNDRED == GOOD) {
                events.subList(done, i).forEach(this::giveUp);
                refusals.remove(event.sequence());
                done = i + 1;
            } else if (!isRefusal(status) || !isRefusedForLong(event)) {
                return done;
            }
        }
        if (done == events.size()) {
            problem = "";
        }
        return done;
    }

    private static boolean isRefusal(int status) {
        return status / HUNDRED == REFUSED && !NOT_THE_EVENT.contains(status);
    }

    private boolean isRefusedForLong(Event event) {
        Refusal refusal = refusals.get(event.sequence());
        return refusal != null
                && refusal.tries() >= REFUSED_TRIES
                && nanos.getAsLong() - refusal.sinceNanos()
                        >= Duration.ofHours(REFUSED_HOURS).toNanos();
    }

    private void giveUp(Event event) {
        refusals.remove(event.sequence());
        String what = name() + " never had event " + event.sequence() + " (" + event.id() + "): " + url.getHost()
                + " refused it for " + REFUSED_HOURS + " h and took the next";
        LOG.atWarn().addKeyValue("receiver", name()).log(what);
        log.note(EventType.EVENTS_EXPIRED, name(), false, EventFacts.of(what));
    }

    /** The status of the answer; 0 without one. */
    private int post(Event event) throws InterruptedException {
        CloudEvent json = CloudEvent.of(event, node, log.id());
        byte[] body = Json.line(json).getBytes(StandardCharsets.UTF_8);
        long epochSeconds = System.currentTimeMillis() / 1000;
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .timeout(Duration.ofSeconds(ANSWER_SECONDS))
                .header("Content-Type", CONTENT_TYPE)
                .header("User-Agent", "hawser")
                .header("webhook-id", json.id())
                .header("webhook-timestamp", Long.toString(epochSeconds))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        WebhookSignature signs = signature;
        if (signs != null) {
            request.header("webhook-signature", signs.sign(json.id(), epochSeconds, body));
        }
        pause = Duration.ZERO;
        try {
            HttpResponse<Void> response = client.send(request.build(), HttpResponse.BodyHandlers.discarding());
            int status = response.statusCode();
            if (status / HUNDRED != GOOD) {
                failed(event, status, response);
            }
            return status;
        } catch (IOException | IllegalArgumentException e) {
            problem = url.getHost() + " cannot be reached: "
                    + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        }
        return 0;
    }

    private void failed(Event event, int status, HttpResponse<Void> response) {
        problem = url.getHost() + " answered " + status + (status == GONE ? ": it wants no more events" : "");
        gone = status == GONE;
        if (LATER.contains(status)) {
            pause = response.headers()
                    .firstValue("Retry-After")
                    .map(text -> retryAfter(text, Instant.now()))
                    .orElse(Duration.ZERO);
        }
        if (isRefusal(status)) {
            refusals.merge(
                    event.sequence(),
                    new Refusal(1, nanos.getAsLong()),
                    (old, more) -> new Refusal(old.tries() + 1, old.sinceNanos()));
        }
    }

    /** As RFC 9110 has it: seconds, or a date; zero if it is neither. */
    static Duration retryAfter(String text, Instant now) {
        if (text.matches("[0-9]{1,9}")) {
            return Duration.ofSeconds(Long.parseLong(text));
        }
        try {
            Duration left = Duration.between(now, Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text)));
            return left.isNegative() ? Duration.ZERO : left;
        } catch (DateTimeParseException e) {
            return Duration.ZERO;
        }
    }

    @Override
    public Duration pause() {
        return pause;
    }

    @Override
    public boolean isGone() {
        return gone;
    }

    @Override
    public Optional<String> problem() {
        return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
    }

    @Override
    public void close() {
        // The interrupt of its thread ends what is being sent.
    }
}
