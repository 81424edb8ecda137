package open;

@interface ThreadSafe { }
