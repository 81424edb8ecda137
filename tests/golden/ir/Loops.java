/** Loop nests, and what stays out of them. */
class Loops {
    int[] data;

    int nested(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i; j < n; j++) sum += data[j];
            if (sum < 0) break;
        }
        return sum;
    }

    int retry(int n) {
        while (true) {
            try {
                return n / data.length;
            } catch (ArithmeticException e) {
                data = new int[n];
            }
        }
    }
}
