package io.hawser.broker.store;

/** Is told how it goes while a store is opened, which takes long where others have to do something first. Thread: any. */
public interface StoreOpening {
    /** For whom nobody looks. */
    StoreOpening UNSEEN = new StoreOpening() {
        @Override
        public void waitsFor(String what) {}

        @Override
        public void standsBy() {}

        @Override
        public void begins() {}
    };

    /**
     * It cannot go on as things are, and tries again.
     *
     * @param what a sentence for an operator
     */
    void waitsFor(String what);

    /** All is well, and another broker has the store. */
    void standsBy();

    /** It reads what is there. */
    void begins();
}
