package io.hawser.broker.store;

/** Receives the progress of opening a store, which can take long when it waits for another process. Thread: any. */
public interface StoreOpeningListener {
    /** Reports nothing. */
    StoreOpeningListener UNSEEN = new StoreOpeningListener() {
        @Override
        public void waitsFor(String what) {}

        @Override
        public void standsBy() {}

        @Override
        public void begins() {}
    };

    /**
     * The opening failed for now and is retried.
     *
     * @param what a sentence for an operator
     */
    void waitsFor(String what);

    /** All is well, and another broker has the store. */
    void standsBy();

    /** It reads what is there. */
    void begins();
}
