// norace
// The elements of the array are separate; sums and collected lists are joined by the stream itself.
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class ParallelStream_norace {
    public static void main(String[] args) throws Exception {
        int[] a = new int[2000];
        for (int i = 0; i < 5; i++) {
            IntStream.range(0, a.length).parallel().forEach(n -> a[n] += n);
            long sum = IntStream.of(a).parallel().asLongStream().sum();
            if (sum != 1999L * 1000 * (i + 1)) throw new AssertionError(sum);
        }
        List<int[]> boxed =
                IntStream.range(0, 500).parallel().mapToObj(n -> new int[] {n}).collect(Collectors.toList());
        int expected = 0;
        for (int[] b : boxed) {
            if (b[0] != expected++) throw new AssertionError(expected);
        }
        System.out.println("ok");
    }
}
