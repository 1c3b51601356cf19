package io.hawser.broker.store.local;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.store.storage.StorageException;
import java.util.concurrent.Executor;

/**
 * Runs queries on the index's thread and posts the answers to the relay's loop. A question to a store that is closed, or whose index
 * has failed for good, is refused with {@code STOPPING}.
 *
 * <p>Thread: the relay's loop; the queries run on the index thread.
 */
record IndexProxy(IndexThread thread, Executor loop) {
    /** A question and where its answer goes. */
    interface Inquiry<T> {
        void ask(IndexLifecycle store, Outcome.Callback<T> answer) throws StorageException;
    }

    /** When a question may be answered. */
    enum Care {
        /** In its turn. */
        NONE,
        /** Also in the middle of a record, of which the answer then shows a part: it is a person's, or asks for what does not change. */
        ONLY_LOOKS,
        /** In its turn, and not before the index's rows have been looked at: a missing row of what is owed, or of a receipt, makes it wrong. */
        NEEDS_ALL_ROWS
    }

    /** A question that is answered at once. */
    interface Query<T> {
        T of(IndexLifecycle store) throws StorageException;
    }

    <T> void ask(Outcome.Callback<T> done, Query<T> query) {
        ask(done, Care.NONE, query);
    }

    <T> void ask(Outcome.Callback<T> done, Care care, Query<T> query) {
        ask(done, care, (store, answer) -> answer.accept(Outcome.of(query.of(store))));
    }

    <T> void ask(Outcome.Callback<T> done, Care care, Inquiry<T> inquiry) {
        Outcome.Callback<T> posted = outcome -> loop.execute(() -> done.accept(outcome));
        thread.ask(new IndexThread.Question() {
            @Override
            public void ask(IndexLifecycle store) throws StorageException {
                inquiry.ask(store, posted);
            }

            @Override
            public void failed(String reason) {
                posted.accept(Outcome.refused(ErrorCode.STOPPING, reason));
            }

            @Override
            public Care care() {
                return care;
            }
        });
    }
}
