package io.hawser.broker.kafka;

import io.hawser.broker.store.StoreOpeningListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What was told while a store was opened. */
class Openings implements StoreOpeningListener {
    private final List<String> told = new CopyOnWriteArrayList<>();

    @Override
    public void waitsFor(String what) {
        told.add("waits: " + what);
    }

    @Override
    public void standsBy() {
        told.add("stands by");
    }

    @Override
    public void begins() {
        told.add("begins");
    }

    List<String> all() {
        return List.copyOf(told);
    }
}
