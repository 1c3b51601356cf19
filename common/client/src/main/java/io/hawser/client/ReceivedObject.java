package io.hawser.client;

import io.hawser.core.model.Attributes;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.landing.Delivery;
import io.hawser.store.landing.VerifiedObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * An object that arrived whole and verified, and waits for the application's word. Until {@link #ack} it is owed: after a
 * crash it is handed over again. After it, never.
 *
 * <p>Thread: any; each of {@link #ack}, {@link #reject} and {@link #later} counts once, the first.
 */
public final class ReceivedObject {
    /** Opens the bytes of an object. */
    interface Opener {
        InputStream open(VerifiedObject object) throws IOException;
    }

    private final HawserClient client;
    private final VerifiedObject object;
    private final Opener opener;
    private final Consumer<Delivery> results;
    private final AtomicBoolean settled = new AtomicBoolean();

    ReceivedObject(HawserClient client, VerifiedObject object, Opener opener, Consumer<Delivery> results) {
        this.client = client;
        this.object = object;
        this.opener = opener;
        this.results = results;
    }

    /** The transfer's key: the same at every repetition. */
    public TransferKey key() {
        return object.key();
    }

    /** What it is. Only files and messages have bytes; the others ask for a change of names, see {@link TransferKind}. */
    public TransferKind kind() {
        return object.manifest().kind();
    }

    /** Its name, or a message's label. */
    public String name() {
        return object.manifest().name();
    }

    /** Its size in bytes. */
    public long sizeBytes() {
        return object.commit().sizeBytes();
    }

    /** The small facts that the sender gave it. */
    public Map<String, String> attributes() {
        return object.manifest().attributes();
    }

    /** Whether it was handed over before, without an ack. */
    public boolean isRepeated() {
        return object.offeredBefore();
    }

    /** Opens its bytes; to be closed by the caller, and before {@link #ack}. */
    public InputStream open() throws IOException {
        return kind().hasBytes() ? opener.open(object) : InputStream.nullInputStream();
    }

    /** All its bytes, for small objects. */
    public byte[] bytes() throws IOException {
        try (InputStream in = open()) {
            return in.readAllBytes();
        }
    }

    /** The application is done with it: it is not owed any longer, and its publisher gets the receipt. */
    public void ack() {
        settle(new Delivery.Delivered(object));
    }

    /** The application will never take it: its publisher gets a FAILED receipt with this reason. */
    public void reject(String reason) {
        settle(new Delivery.Failed(object, reason));
    }

    /** Not now: it is handed over again after a while. */
    public void later(String reason) {
        settle(new Delivery.Later(object, reason));
    }

    /** Answers a request. Fails with {@link IllegalStateException} if this is not one. */
    public SentTransfer reply(byte[] answer) throws IOException {
        String topic = attributes().get(Attributes.REPLY_TOPIC);
        String correlation = attributes().get(Attributes.CORRELATION);
        if (topic == null || correlation == null) {
            throw new IllegalStateException("\"" + name() + "\" is not a request: nobody waits for a reply");
        }
        return client.sendMessage(topic, name(), answer, Map.of(Attributes.CORRELATION, correlation));
    }

    private void settle(Delivery delivery) {
        if (settled.compareAndSet(false, true)) {
            results.accept(delivery);
        }
    }
}
