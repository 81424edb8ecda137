import java.sql.DriverManager;
import java.sql.SQLException;

/** Derby in memory, with its row locks, and shut down at the end. */
public class DerbyLoad {
    public static void main(String[] args) throws Exception {
        System.setProperty("derby.stream.error.field", "java.lang.System.err");
        // The log goes on in another file so often that the races of its doing so show in each run.
        System.setProperty("derby.storage.logSwitchInterval", "100000");
        SqlLoad.run(args, () -> DriverManager.getConnection("jdbc:derby:memory:load;create=true"));
        try {
            DriverManager.getConnection("jdbc:derby:;shutdown=true");
        } catch (SQLException e) {
            // This is how Derby says that it has shut down.
            Load.check("XJ015".equals(e.getSQLState()), e.toString());
        }
    }
}
