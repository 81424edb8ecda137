import java.sql.DriverManager;

/** H2 in memory, multi-version store. */
public class H2Load {
    public static void main(String[] args) throws Exception {
        SqlLoad.run(args, () -> DriverManager.getConnection("jdbc:h2:mem:load;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000"));
    }
}
