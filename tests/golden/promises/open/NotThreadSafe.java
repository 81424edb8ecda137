package open;

@interface NotThreadSafe { }
