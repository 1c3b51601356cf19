package io.hawser.broker.kafka;

import io.hawser.store.storage.RemoteStoreException;
import io.hawser.store.storage.RemoteStoreUnavailableException;
import io.hawser.store.storage.StorageException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Waits for Kafka's answers while the store opens, and words failures for an operator.
 *
 * <p>Thread: any; blocks.
 *
 * @param reporter told when Kafka is slow to answer
 */
record KafkaAnswers(String bootstrap, OpeningReporter reporter) {
    private static final long TIMEOUT_SECONDS = 60;
    private static final long PATIENCE_SECONDS = 2;

    /**
     * Waits for one.
     *
     * @param what what goes wrong if there is none
     * @throws RemoteStoreUnavailableException if there is none in time
     */
    <T> T get(KafkaFuture<T> future, String what) throws StorageException {
        for (long waited = PATIENCE_SECONDS; ; waited += PATIENCE_SECONDS) {
            try {
                return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                throw cause instanceof org.apache.kafka.common.errors.TimeoutException
                        ? noAnswer(what, cause)
                        : new RemoteStoreException(what + ": " + reason(cause), cause);
            } catch (TimeoutException e) {
                if (waited >= TIMEOUT_SECONDS) {
                    throw noAnswer(what, e);
                }
                reporter.waitsFor(what + ": Kafka at " + bootstrap + " takes connections and has not answered yet");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RemoteStoreException("interrupted while Kafka was asked", e);
            }
        }
    }

    private static StorageException noAnswer(String what, Throwable cause) {
        return new RemoteStoreUnavailableException(
                what + ": no answer within " + TIMEOUT_SECONDS
                        + " s. Is that its address, and if it wants TLS or SASL, does --kafka-properties say so?",
                cause);
    }

    /** What an operator can do something about is said so. */
    private static String reason(Throwable cause) {
        if (cause instanceof SslAuthenticationException) {
            return "TLS fails (" + cause.getMessage() + "); --kafka-properties says which certificates are trusted";
        }
        if (cause instanceof AuthenticationException) {
            return "it does not let this broker in with what --kafka-properties says (" + cause.getMessage() + ")";
        }
        if (cause instanceof AuthorizationException) {
            return "it does not permit it (" + cause.getMessage() + ")";
        }
        String message = cause.getMessage();
        return message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
    }

    /** What is asked of Kafka. */
    interface Question<T> {
        T ask() throws StorageException;
    }

    /** A topic that was just made, here or by another broker, may not be known to every node yet: each question may meet such a node. */
    static <T> T awaitKnown(Question<T> question) throws StorageException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (true) {
            try {
                return question.ask();
            } catch (StorageException e) {
                boolean unknown = e.getCause() instanceof UnknownTopicOrPartitionException;
                if (!unknown
                        || System.nanoTime() > deadline
                        || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                pause();
            }
        }
    }

    private static void pause() throws StorageException {
        try {
            TimeUnit.MILLISECONDS.sleep(200);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RemoteStoreException("interrupted while Kafka was asked", e);
        }
    }
}
