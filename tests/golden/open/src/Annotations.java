package shop;

@interface UiThread {}

@interface MainThread {}

@interface WorkerThread {}

@interface ThreadConfined {
    String value();
}

@interface VisibleForTesting {}

@interface ThreadSafe {}

@interface Functional {}
