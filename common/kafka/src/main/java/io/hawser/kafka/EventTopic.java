package io.hawser.kafka;

import io.hawser.ops.event.CloudEvent;
import io.hawser.ops.event.Event;
import io.hawser.ops.event.EventReceiver;
import io.hawser.ops.observe.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * Writes each event to a topic of Kafka, as CloudEvents 1.0 in the structured mode of its Kafka protocol binding. The record's key is the
 * transfer's key, or else what the event is about, so that Kafka keeps the order of what belongs together.
 *
 * <p>Order holds across failures too: of two events with one key, the second is sent after all replicas have the first.
 *
 * <p>Thread: {@code hawser-events-to-kafka}; {@link #problem} and {@link #close} any.
 */
final class EventTopic implements EventReceiver {
    private static final String CONTENT_TYPE = "content-type";
    private static final byte[] JSON =
            "application/cloudevents+json; charset=UTF-8".getBytes(StandardCharsets.US_ASCII);

    private final String topic;
    private final EventTopicProblems problems;
    private final Supplier<Producer<byte[], byte[]>> producers;
    private final Function<Event, CloudEvent> form;
    private final Object lock = new Object();
    private @Nullable Producer<byte[], byte[]> producer;
    private boolean closed;
    private volatile String problem = "";

    /**
     * Connects to nothing before there is an event.
     *
     * @param producers makes a client
     * @param form makes an event what others read
     */
    EventTopic(
            String topic,
            EventTopicProblems problems,
            Supplier<Producer<byte[], byte[]>> producers,
            Function<Event, CloudEvent> form) {
        this.topic = topic;
        this.problems = problems;
        this.producers = producers;
        this.form = form;
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public boolean wants(Event event) {
        return true;
    }

    @Override
    public int deliver(List<Event> events) throws InterruptedException {
        int done = 0;
        try {
            Producer<byte[], byte[]> to = producer();
            if (to == null) {
                return 0;
            }
            to.partitionsFor(topic); // waits once where each record would wait
            while (done < events.size()) {
                List<Event> run = run(events, done);
                int taken = send(to, run);
                done += taken;
                if (taken < run.size()) {
                    return done;
                }
            }
            problem = "";
        } catch (InterruptException e) {
            throw interrupted(e);
        } catch (KafkaException e) {
            failed(e);
        }
        return done;
    }

    /** The events from there on, up to the first whose key comes a second time. */
    private static List<Event> run(List<Event> events, int from) {
        Set<String> keys = new HashSet<>();
        int end = from;
        while (end < events.size() && keys.add(events.get(end).subjectText())) {
            end++;
        }
        return events.subList(from, end);
    }

    /** How many of them, from the first on, all replicas have. */
    private int send(Producer<byte[], byte[]> to, List<Event> run) throws InterruptedException {
        List<Future<RecordMetadata>> sent = new ArrayList<>(run.size());
        for (Event event : run) {
            sent.add(to.send(record(event)));
        }
        to.flush();
        for (int i = 0; i < sent.size(); i++) {
            try {
                sent.get(i).get();
            } catch (ExecutionException e) {
                failed(e.getCause() == null ? e : e.getCause());
                return i;
            }
        }
        return sent.size();
    }

    private ProducerRecord<byte[], byte[]> record(Event event) {
        String key = event.subjectText();
        ProducerRecord<byte[], byte[]> made = new ProducerRecord<>(
                topic,
                key.isEmpty() ? null : key.getBytes(StandardCharsets.UTF_8),
                Json.line(form.apply(event)).getBytes(StandardCharsets.UTF_8));
        made.headers().add(CONTENT_TYPE, JSON);
        return made;
    }

    /** Null if it is closed, or if no node of the cluster answers. */
    private @Nullable Producer<byte[], byte[]> producer() {
        synchronized (lock) {
            if (producer != null || closed) {
                return producer;
            }
        }
        String unreachable = problems.unreachable();
        if (!unreachable.isEmpty()) {
            problem = unreachable;
            return null;
        }
        Producer<byte[], byte[]> made = producers.get();
        synchronized (lock) {
            if (!closed) {
                producer = made;
                return made;
            }
        }
        made.close(Duration.ZERO);
        return null;
    }

    private void failed(Throwable cause) {
        problem = problems.sentence(cause);
        if (!(cause instanceof RetriableException)) {
            discard(); // it may have failed for good
        } // else it fences what it has sent and does not know the end of
    }

    private void discard() {
        Producer<byte[], byte[]> gone;
        synchronized (lock) {
            gone = producer;
            producer = null;
        }
        if (gone != null) {
            gone.close(Duration.ZERO);
        }
    }

    private static InterruptedException interrupted(InterruptException cause) {
        Thread.interrupted();
        InterruptedException made = new InterruptedException("interrupted while Kafka was told of events");
        made.initCause(cause);
        return made;
    }

    @Override
    public Optional<String> problem() {
        return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
        }
        discard();
    }
}
