package io.hawser.broker.store;

/** The contract on the model. A store that is opened again is the same object: nothing of it is on a disk. */
class MemoryStoreTest extends BrokerStoreContract {
    private final MemoryStore memory = new MemoryStore(pool, task -> loop.execute(task));

    @Override
    protected BrokerStore openStore() {
        return memory;
    }
}
