/** The values that handlers see. */
class Exceptions {
    int stage;

    String stages(String key, java.util.Map<String, Integer> map) {
        int at = 0;
        try {
            at = 1;
            Integer found = map.get(key);
            at = 2;
            key = key.trim();
            at = found;
        } catch (NullPointerException | IllegalStateException e) {
            return key + at;
        } finally {
            stage = at;
        }
        return key;
    }

    void resources(java.io.InputStream in) throws java.io.IOException {
        try (in) {
            stage = in.read();
        }
    }
}
