package io.hawser.client;

import io.hawser.core.model.Attributes;
import io.hawser.store.landing.DeliveryOutcome;
import io.hawser.store.landing.VerifiedObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * An object that arrived whole and verified. The program settles it with {@link #ack}, {@link #reject} or {@link #later}; the first of
 * these calls counts. Until {@link #ack} the broker owes the object: after a crash it comes again, after {@link #ack} never.
 *
 * <p>Any thread may call any method. Only {@link #open}, {@link #bytes} and {@link #reply} block.
 */
public final class ReceivedObject {
    /** Opens the bytes of an object. */
    interface Opener {
        InputStream open(VerifiedObject object) throws IOException;
    }

    private final HawserClient client;
    private final VerifiedObject object;
    private final Opener opener;
    private final Consumer<DeliveryOutcome> results;
    private final AtomicBoolean settled = new AtomicBoolean();

    ReceivedObject(HawserClient client, VerifiedObject object, Opener opener, Consumer<DeliveryOutcome> results) {
        this.client = client;
        this.object = object;
        this.opener = opener;
        this.results = results;
    }

    /** The transfer's identity, the same at every repetition. */
    public TransferId id() {
        return new TransferId(object.key());
    }

    /** What it is. Kinds without bytes ask for a change of names. */
    public ObjectKind kind() {
        return ObjectKind.of(object.manifest().kind());
    }

    /** Its name, segments joined by {@code /}, or a message's label. */
    public String name() {
        return object.manifest().name();
    }

    /** Its size in bytes. */
    public long sizeBytes() {
        return object.commit().sizeBytes();
    }

    /** The attributes that its sender gave it. */
    public Map<String, String> attributes() {
        return object.manifest().attributes();
    }

    /** Whether it came before and was not acknowledged. */
    public boolean isRepeated() {
        return object.offeredBefore();
    }

    /**
     * Opens its bytes, an empty stream for kinds without. Close the stream before {@link #ack}, which deletes the bytes. Reads from
     * disk, and so blocks.
     *
     * @throws IOException if the bytes cannot be read, for instance after {@link #ack}
     */
    public InputStream open() throws IOException {
        return kind().hasBytes() ? opener.open(object) : InputStream.nullInputStream();
    }

    /**
     * Reads all its bytes into memory. Blocks.
     *
     * @throws IOException as {@link #open}
     */
    public byte[] bytes() throws IOException {
        try (InputStream in = open()) {
            return in.readAllBytes();
        }
    }

    /** Acknowledges the object: it never comes again, and its sender gets the receipt. */
    public void ack() {
        settle(new DeliveryOutcome.Delivered(object));
    }

    /**
     * Refuses the object for good: its sender gets a FAILED receipt.
     *
     * @param reason a phrase for the sender
     */
    public void reject(String reason) {
        settle(new DeliveryOutcome.Failed(object, reason));
    }

    /**
     * Asks for the object again after a pause of seconds to minutes, longer after each repetition.
     *
     * @param reason a phrase for the log
     */
    public void later(String reason) {
        settle(new DeliveryOutcome.Later(object, reason));
    }

    /**
     * Sends the reply to a request. Blocks while {@link ClientOptions.Limits#maxPending} transfers wait for the broker.
     *
     * @param answer at most 64 KiB
     * @throws IllegalStateException if this is no request
     * @throws HawserException if the reply is too long or refused
     * @throws IOException if the client is closed, or its journal cannot be written
     */
    public SentTransfer reply(byte[] answer) throws IOException {
        String topic = attributes().get(Attributes.REPLY_TOPIC);
        String correlation = attributes().get(Attributes.CORRELATION);
        if (topic == null || correlation == null) {
            throw new IllegalStateException("\"" + name() + "\" is not a request, so it takes no reply");
        }
        return client.sendMessage(topic, name(), answer, Map.of(Attributes.CORRELATION, correlation));
    }

    private void settle(DeliveryOutcome delivery) {
        if (settled.compareAndSet(false, true)) {
            results.accept(delivery);
        }
    }
}
